/* Lemma GraphCause for all programs with N processes and M messages: in no run does a process perform
 * the k'th receive on a channel before the k'th send on it.
 *
 *     spin -a -DN=3 -DM=3 graph_cause.pml && gcc -O2 -DSAFETY -DMEMLIM=4096 -o pan pan.c && ./pan -m1000000
 *
 * First the channels write a program, event by event, each receive after some send that it can take; the
 * order in which they write is forgotten, so every program is one state.  Then the processes play it on
 * bags of messages, in every order.  Whose message a receive takes makes no difference to what can happen
 * next, so a bag is the number of its messages.  After all events of its sender one more message may be
 * sent.  -DNOT_INJECTIVE leaves messages in their bags when they are received, which breaks the lemma.
 */

#define CHANNELS (N * N)
#define SENDER (_pid / N)
#define RECEIVER (_pid % N)
#define PROCESS (_pid - CHANNELS)

/* Processes are numbered in the order in which the program first names them, sender first. */
#define NAMED(i, j) (i <= named && (j < named || j == named + (i == named)))

/* An event is its channel, plus CHANNELS if it is a receive. */
#define NEXT program[PROCESS * M + done[PROCESS]]

byte program[N * M], length[N], done[N];
byte sent[CHANNELS], received[CHANNELS], bag[CHANNELS];
byte sends, receives, named;
bool playing, later;

inline append(process, event) {
    program[(process) * M + length[process]] = event;
    length[process]++
}

inline play() {
    for (k : 0 .. CHANNELS - 1) {
        sent[k] = 0;
        received[k] = 0
    }
    k = 0;
    sends = 0;
    receives = 0;
    named = 0;
    playing = true
}

active [CHANNELS] proctype Channel() {
    byte k;
end:
    do
    :: d_step {
        !playing && SENDER != RECEIVER && sends < M && NAMED(SENDER, RECEIVER) ->
        append(SENDER, _pid);
        sent[_pid]++;
        sends++;
        if
        :: SENDER >= named || RECEIVER >= named -> named = (SENDER > RECEIVER -> SENDER : RECEIVER) + 1
        :: else
        fi
    }
    :: d_step {
        !playing && received[_pid] < sent[_pid] ->
        append(RECEIVER, _pid + CHANNELS);
        received[_pid]++;
        receives++;
        if
        :: receives == M -> play()
        :: else
        fi
    }
    :: d_step {
        playing && !later && done[SENDER] == length[SENDER] && received[_pid] < sent[_pid] ->
        bag[_pid]++;
        later = true
    }
    od
}

active [N] proctype Process() {
    byte c;
end:
    do
    :: d_step {
        playing && done[PROCESS] < length[PROCESS] && NEXT < CHANNELS ->
        c = NEXT;
        sent[c]++;
        bag[c]++;
        done[PROCESS]++;
        c = 0
    }
    :: d_step {
        playing && done[PROCESS] < length[PROCESS] && NEXT >= CHANNELS && bag[NEXT - CHANNELS] > 0 ->
        c = NEXT - CHANNELS;
        received[c]++;
#ifndef NOT_INJECTIVE
        bag[c]--;
#endif
        assert(received[c] <= sent[c]);
        done[PROCESS]++;
        c = 0
    }
    od
}
