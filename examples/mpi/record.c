/* Records the messages of an MPI program in an OTF2 archive, by the profiling interface of MPI.
 *
 * Only the calls of exchange.c are recorded: for other programs, use Score-P.  MPI_Pcontrol(1, "name") begins a
 * region of the user, MPI_Pcontrol(-1, "name") ends it.  RECORD_TO is the folder of the archive. */
#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <otf2/otf2.h>
#include <otf2/OTF2_MPI_Collectives.h>

enum { MOST_REGIONS = 16, MOST_REQUESTS = 64 };
enum { EMPTY, THREAD, NODE, WORLD, FIRST_NAME };

static OTF2_Archive *archive;
static OTF2_EvtWriter *events;
static int rank, size, recording;
static uint64_t recorded, requests_made;
static const char *regions[MOST_REGIONS];
static struct { MPI_Request request; uint64_t id; } started[MOST_REQUESTS];

/* The number of an event in place of its time: the archive is only for the order of events. */
static uint64_t now(void)
{
    return ++recorded;
}

/* The number of a region.  All processes enter regions first in the same order. */
static uint32_t region(const char *name)
{
    uint32_t k = 0;
    while (k < MOST_REGIONS && regions[k] && strcmp(regions[k], name))
        k++;
    if (k == MOST_REGIONS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    regions[k] = name;
    return k;
}

static OTF2_FlushType at_end(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    return OTF2_FLUSH;
}

static OTF2_FlushCallbacks flushing = {.otf2_pre_flush = at_end, .otf2_post_flush = NULL};

int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);
    const char *folder = getenv("RECORD_TO");
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    archive = OTF2_Archive_Open(folder ? folder : "recorded", "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_Archive_SetFlushCallbacks(archive, &flushing, NULL);
    OTF2_MPI_Archive_SetCollectiveCallbacks(archive, MPI_COMM_WORLD, MPI_COMM_NULL);
    OTF2_Archive_OpenEvtFiles(archive);
    events = OTF2_Archive_GetEvtWriter(archive, rank);
    recording = 1;
    return result;
}

static void define(OTF2_GlobalDefWriter *to, const uint64_t *counts)
{
    char text[64];
    const char *fixed[] = {"", "Master thread", "node", "MPI_COMM_WORLD"};
    uint32_t strings = FIRST_NAME;
    uint64_t ranks[size];
    OTF2_GlobalDefWriter_WriteClockProperties(to, 1, 0, recorded + 1, OTF2_UNDEFINED_TIMESTAMP);
    for (uint32_t k = 0; k < FIRST_NAME; k++)
        OTF2_GlobalDefWriter_WriteString(to, k, fixed[k]);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, NODE, NODE, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (int k = 0; k < size; k++) {
        ranks[k] = k;
        snprintf(text, sizeof text, "MPI Rank %d", k);
        OTF2_GlobalDefWriter_WriteString(to, strings, text);
        OTF2_GlobalDefWriter_WriteLocationGroup(to, k, strings++, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(to, k, THREAD, OTF2_LOCATION_TYPE_CPU_THREAD, counts[k], k);
    }
    for (uint32_t k = 0; k < MOST_REGIONS && regions[k]; k++) {
        OTF2_GlobalDefWriter_WriteString(to, strings, regions[k]);
        OTF2_GlobalDefWriter_WriteRegion(to, k, strings, strings, EMPTY, OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER,
                                         OTF2_REGION_FLAG_NONE, EMPTY, 0, 0);
        strings++;
    }
    OTF2_GlobalDefWriter_WriteGroup(to, 0, EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, size, ranks);
    OTF2_GlobalDefWriter_WriteGroup(to, 1, EMPTY, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, size, ranks);
    OTF2_GlobalDefWriter_WriteComm(to, 0, WORLD, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

int MPI_Finalize(void)
{
    uint64_t counts[size];
    recording = 0;
    OTF2_Archive_CloseEvtWriter(archive, events);
    OTF2_Archive_CloseEvtFiles(archive);
    PMPI_Gather(&recorded, 1, MPI_UINT64_T, counts, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        OTF2_GlobalDefWriter *to = OTF2_Archive_GetGlobalDefWriter(archive);
        define(to, counts);
        OTF2_Archive_CloseGlobalDefWriter(archive, to);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    OTF2_Archive_Close(archive);
    return PMPI_Finalize();
}

int MPI_Pcontrol(const int level, ...)
{
    va_list rest;
    va_start(rest, level);
    uint32_t entered = region(va_arg(rest, const char *));
    va_end(rest);
    if (level > 0)
        OTF2_EvtWriter_Enter(events, NULL, now(), entered);
    else
        OTF2_EvtWriter_Leave(events, NULL, now(), entered);
    return MPI_SUCCESS;
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    int length, result = PMPI_Isend(data, count, type, to, tag, comm, request);
    PMPI_Type_size(type, &length);
    OTF2_EvtWriter_MpiIsend(events, NULL, now(), to, 0, tag, (uint64_t)count * length, requests_made);
    started[requests_made % MOST_REQUESTS].request = *request;
    started[requests_made % MOST_REQUESTS].id = requests_made;
    requests_made++;
    return result;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    MPI_Request before[count];
    memcpy(before, requests, sizeof before);
    int result = PMPI_Waitall(count, requests, statuses);
    for (int k = 0; k < count; k++)
        for (int at = 0; at < MOST_REQUESTS; at++)
            if (before[k] != MPI_REQUEST_NULL && started[at].request == before[k]) {
                OTF2_EvtWriter_MpiIsendComplete(events, NULL, now(), started[at].id);
                started[at].request = MPI_REQUEST_NULL;
            }
    return result;
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status found;
    int length, result = PMPI_Recv(data, count, type, from, tag, comm, &found);
    PMPI_Type_size(type, &length);
    OTF2_EvtWriter_MpiRecv(events, NULL, now(), found.MPI_SOURCE, 0, found.MPI_TAG, (uint64_t)count * length);
    if (status != MPI_STATUS_IGNORE)
        *status = found;
    return result;
}

int MPI_Barrier(MPI_Comm comm)
{
    if (recording)
        OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, now());
    int result = PMPI_Barrier(comm);
    if (recording)
        OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, now(), OTF2_COLLECTIVE_OP_BARRIER, 0,
                                        OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    return result;
}
