"""The kernel: the only code that must be trusted to believe a certified table.

It imports nothing but the standard library, takes nothing on trust but the text of programs, and was
written to be read in one sitting: ``programs`` (what a program is, which ones there are), ``sealing``
(signatures; why a program seals another, why none does, why no shorter one does), ``runs``
(counterexamples), ``phases`` (layers that stay apart, or do not), ``ports`` (the same with tags, receives
from any source, order, loss and copies), ``port_seals`` (seals with these), ``tables`` (rows, and all of
them), ``lrat`` (proofs of solvers) and ``reading`` (JSON from strangers).  Evidence that does not show its
claim raises `Rejected`.

A *message edge* goes from the k'th send to the k'th receive of a channel.  *Reaches* means a path of
message edges and steps along processes.  All verdicts rest on two facts about every run of Rel, in
which a receive may take any message of its channel; the kernel knows no other model:

(1) If e reaches f, then e happens before f.  The first k receives on a channel take k different
    messages, so one of them takes the k'th or a later one: the k'th send happens before it, hence
    before the k'th receive.
(2) If P's last receive r on a channel does not reach a later send on it, then it does not reach the first
    send s on it after P, and in some run r takes the message of s: the next receive on the channel, if there
    is one, takes the message that r gives up, all others take the oldest.  The only new edge goes from s to
    r, which closes a cycle only with a path from r to s; the other receive takes a message whose send reaches
    it anyway.

Hence Q seals P exactly if P's last receive on each channel reaches Q's first send on it and the end
of the sender's share of P;Q.
"""
