"""The kernel: the only code that must be trusted to believe a certified table.

The kernel imports only the standard library. In a row of a table, it trusts only the texts of the programs,
and checks all other fields. If evidence does not show its claim, the kernel raises `Rejected`. Its modules:

- ``programs``: reads programs from text, decides whether they are canonical, and counts all programs;
- ``sealing``: checks signatures, seals, and evidence that a program has no seal, or no shorter seal;
- ``runs``: checks counterexamples;
- ``phases``: checks whether layers over channels stay apart;
- ``ports``: checks whether layers over ports stay apart;
- ``port_seals``: checks seals over ports;
- ``tables``: checks the rows of a table, and whether rows are missing;
- ``lrat``: checks the proofs that SAT solvers write;
- ``reading``: reads JSON from untrusted sources.

**Terms.** P and Q are programs. In P;Q, each process goes straight from its part of P to its part of Q. Here,
each channel of P has as many sends as receives, and runs start with empty channels.

- Q *seals* P if, in every run of P;Q;R for every program R, each receive of P takes a message of P.
- A *message edge* goes from the k'th send to the k'th receive of a channel.
- An event *reaches* another event if a path of message edges and steps along processes leads to it.

Verdicts about channels rest on two facts. The facts hold if a receive may take any message of its channel.

**Fact (1).** If the event e reaches the event f, then e happens before f in every run. Only message edges
need a proof:

1. The first k receives on a channel take k different messages.
2. So one of these receives, say g, takes the message of the k'th send or of a later send.
3. So the k'th send happens before g. The k'th receive is g itself, or happens after g.

**Fact (2).** Let r be P's last receive on a channel. If there is a send on the channel after P that r does
not reach, then r takes a message from outside P in some run.

1. Let s be the first send on the channel after P. Then r does not reach s, because s reaches the other sends
   on the channel after P.
2. In the run, the k'th receive on a channel takes the message of the k'th send, with two exceptions. The
   receive r takes the message of s. The next receive on the channel, if there is one, takes the message that
   r would have taken.
3. Events can happen in any order that follows the paths and has s before r. In such an order, the next
   receive, too, comes after the send of its message: this send comes before s, and a message edge leads from
   s to the next receive.
4. No path leads from r to s. So the paths and the edge from s to r form no cycle, and such an order exists.

**Condition for seals.** So Q seals P exactly if P's last receive on each channel of P reaches

- Q's first send on the channel, if Q sends on it;
- otherwise, the end of the sender's part of P;Q, because R may send on the channel.

If this condition holds, each receive of P happens before all sends on its channel after P, by fact (1). So
it takes a message of P. If the condition does not hold, P's last receive on some channel takes a message from
outside P in some run of P;Q;R, for some R, by fact (2).
"""
