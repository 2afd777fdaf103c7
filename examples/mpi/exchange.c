/* Neighbours on a line exchange messages, twice in succession.  Each process knows how many messages will come,
 * and receives them from any source.
 *
 *   exchange [--late] [--barrier]
 *
 * --late: the last rank begins the first exchange a second late.  --barrier: a barrier after each exchange.  The
 * exit code is 1 if an exchange takes a message of another one. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 7, FROM_HERE = 1, TO_HERE = -1 };

/* The number of messages of other rounds that this round takes. */
static int exchange(int round)
{
    int rank, size, sent = 0, wrong = 0;
    MPI_Request requests[2];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int to = rank - 1; to <= rank + 1; to += 2)
        if (0 <= to && to < size)
            MPI_Isend(&round, 1, MPI_INT, to, TAG, MPI_COMM_WORLD, &requests[sent++]);
    for (int received = 0; received < sent; received++) {
        int found;
        MPI_Status status;
        MPI_Recv(&found, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
        if (found != round) {
            printf("rank %d: exchange %d takes a message of exchange %d, from rank %d\n", rank, round, found,
                   status.MPI_SOURCE);
            wrong++;
        }
    }
    MPI_Waitall(sent, requests, MPI_STATUSES_IGNORE);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, size, late = 0, barrier = 0, wrong = 0;
    for (int k = 1; k < argc; k++) {
        late |= !strcmp(argv[k], "--late");
        barrier |= !strcmp(argv[k], "--barrier");
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 1; round <= 2; round++) {
        MPI_Pcontrol(FROM_HERE, "exchange"); /* the standard's hook for recorders: a region begins */
        sleep(late && round == 1 && rank == size - 1);
        wrong += exchange(round);
        if (barrier)
            MPI_Barrier(MPI_COMM_WORLD);
        MPI_Pcontrol(TO_HERE, "exchange");
        usleep(100000); /* each process works by itself */
    }
    MPI_Finalize();
    return wrong > 0;
}
