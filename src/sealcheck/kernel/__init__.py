"""The kernel: the only code that must be trusted to believe a certified table.

It imports only the standard library. In a table it trusts only the texts of programs, and checks everything
else. It was written to be read in one sitting. Its modules are:

- ``programs``: reads programs from text, decides whether they are canonical, and counts all programs;
- ``sealing``: checks signatures, seals, and evidence that no seal, or no shorter one, exists;
- ``runs``: checks counterexamples;
- ``phases``: checks whether layers over channels stay apart;
- ``ports``: checks whether layers over ports stay apart, with tags, receives from any source, order, loss
  and copies;
- ``port_seals``: checks seals over ports;
- ``tables``: checks the rows of a table, and whether rows are missing;
- ``lrat``: checks the proofs that solvers write;
- ``reading``: reads JSON from untrusted sources.

If evidence does not show its claim, the kernel raises `Rejected`.

**Seals.** Q *seals* P if, in every run of P;Q, whatever follows, each receive of P takes a message of P. A
*message edge* goes from the k'th send to the k'th receive of a channel. An event *reaches* another event if a
path of message edges and steps along processes leads to it. Verdicts about channels rest on two facts about
runs in which a receive may take any message of its channel (the model Rel).

(1) If e reaches f, then e happens before f in every run. It is enough to show this for a message edge.
    The first k receives on a channel take k different messages, so one of them takes the k'th message or a
    later one. So the k'th send happens before that receive, and hence before the k'th receive.
(2) Let r be P's last receive on a channel. Suppose that r does not reach some send on the channel after P.
    Then r does not reach the first such send, s. In some run, r takes the message of s, the next receive
    on the channel, if there is one, takes the message that r leaves, and any other k'th receive on a
    channel takes the k'th message. This run is possible: its order follows from paths and from one more
    edge, from s to r. No path leads from r to s, so there is no cycle. The next receive needs no new edge:
    a message edge leads from s to it, and s comes after the send of the message that r leaves.

Hence Q seals P exactly if, on each channel of P, P's last receive reaches Q's first send or, if Q has no send
on the channel, the end of the sender's part of P;Q.
"""
