"""The kernel: the only code that must be trusted to believe a certified table.

It imports only the standard library, and it trusts nothing but the text of programs. It was written to be
read in one sitting. Its modules are:

- ``programs``: what a program is, and which programs there are;
- ``sealing``: signatures; why a program seals another, why no program does, why no shorter one does;
- ``runs``: counterexamples;
- ``phases``: layers that stay apart, or do not;
- ``ports``: the same over ports, with tags, receives from any source, order, loss and copies;
- ``port_seals``: seals over ports;
- ``tables``: single rows, and whether the rows are complete;
- ``lrat``: proofs of solvers;
- ``reading``: JSON from untrusted sources.

Evidence that does not show its claim raises `Rejected`.

A *message edge* goes from the k'th send to the k'th receive of a channel. An event *reaches* another one if a
path of message edges and steps along processes leads from the first to the second. All verdicts rest on two
facts about every run of Rel, in which a receive may take any message of its channel. The kernel knows no
other model of channels.

(1) If e reaches f, then e happens before f. The first k receives on a channel take k different
    messages, so one of them takes the k'th message or a later one. So the k'th send happens before this
    receive, hence before the k'th receive.
(2) Let r be P's last receive on a channel. Suppose that r does not reach some later send on the channel.
    Then r does not reach the first send s on it after P either, and in some run r takes the message of s.
    In this run, the next receive on the channel, if there is one, takes the message that r gives up; all
    other receives take the oldest message. The only new edge goes from s to r. It closes a cycle only with
    a path from r to s, and there is none. The message that the next receive takes has a send that reaches
    this receive anyway.

Hence Q seals P exactly if, on each channel, P's last receive reaches Q's first send there and the end of the
sender's share of P;Q.
"""
