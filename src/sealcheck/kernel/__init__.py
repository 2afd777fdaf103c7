"""The kernel: the only code that must be trusted to believe a certified table.

The kernel imports only the standard library. In a table it trusts only the texts of programs. If evidence
does not show its claim, the kernel raises `Rejected`. Its modules are:

- ``programs``: reads programs from text, decides whether they are canonical, and counts all programs;
- ``sealing``: checks signatures, seals, and evidence that no seal, or no shorter one, exists;
- ``runs``: checks counterexamples;
- ``phases``: checks whether layers over channels stay apart;
- ``ports``: checks whether layers over ports stay apart;
- ``port_seals``: checks seals over ports;
- ``tables``: checks the rows of a table, and whether rows are missing;
- ``lrat``: checks the proofs that solvers write;
- ``reading``: reads JSON from untrusted sources.

**Terms.** In P;Q, each process goes straight from its part of P to its part of Q.

- Q *seals* P if each receive of P takes a message of P, in every run of P;Q, whatever follows.
- A *message edge* goes from the k'th send to the k'th receive of a channel.
- An event *reaches* another event if a path of message edges and steps along processes leads to it.

Verdicts about channels rest on two facts. The facts hold if receives may take any message of their channel.

**Fact (1).** If e reaches f, then e happens before f in every run. Only message edges need a proof:

1. The first k receives on a channel take k different messages.
2. So one of these receives, say g, takes the k'th message or a later message.
3. So the k'th send happens before g. The k'th receive is g itself, or happens after g.

**Fact (2).** Let r be P's last receive on a channel. If r does not reach some send on the channel after P,
then r takes a message from outside P in some run.

1. Let s be the first send on the channel after P. Then r does not reach s, either.
2. Any k'th receive on a channel takes the k'th message, with two exceptions. The receive r takes the message
   of s. The next receive on the channel, if there is one, takes the message that r leaves.
3. The order of events follows from paths, and from one more edge, from s to r. The next receive needs no
   further edge. A message edge leads to it from s, and s comes after the message that r leaves.
4. No path leads from r to s. So there is no cycle, and the run is possible.

**Condition for seals.** So Q seals P exactly if P's last receive on each channel of P reaches

- Q's first send on the channel, if Q sends on it;
- otherwise, the end of the sender's part of P;Q.
"""
