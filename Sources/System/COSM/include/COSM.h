// Reads OpenStreetMap files (PBF, XML, gzipped XML) with libosmium: what a table of tags selects in and around a box,
// with polygons assembled from ways and multipolygon relations.
#ifndef WR_COSM_H
#define WR_COSM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Units of 1e-7 degrees, as in OpenStreetMap's own files.
typedef struct {
    int32_t longitude;
    int32_t latitude;
} wr_osm_point;

/// Units of 1e-7 degrees; the borders belong to the box.
typedef struct {
    int32_t west, south, east, north;
} wr_osm_box;

/// What a tag makes of an object; a sum of these.
enum { WR_OSM_POINT = 1, WR_OSM_LINE = 2, WR_OSM_POLYGON = 4 };

/// Selects objects with a tag, or only keeps the tag if `kinds` is 0. A value of NULL stands for all values that no
/// other rule of the key has.
typedef struct {
    const char *key;
    const char *value;
    uint32_t kinds;
} wr_osm_rule;

typedef struct {
    const char *path;
    /// The box to read; NULL for the whole file.
    const wr_osm_box *box;
    const wr_osm_rule *rules;
    size_t rule_count;
    /// How many bytes the objects of the box may take.
    size_t max_bytes;
    /// How many bytes the other nodes of the file may take while it is read.
    size_t max_region_bytes;
    /// The number of threads that decode, 1 or more.
    int threads;
    /// Called for each block of the file: returns whether to stop.
    int (*must_stop)(void *context);
    void *context;
} wr_osm_request;

/// A tag that a rule names: the index of the first rule of its key, and where its value begins in `texts`.
typedef struct {
    uint32_t rule;
    uint32_t value;
} wr_osm_tag;

/// A node, a way as a line, or the polygons of a closed way or a relation. An object that is selected as both a line and a
/// polygon appears twice.
typedef struct {
    int64_t id;
    /// WR_OSM_POINT, WR_OSM_LINE or WR_OSM_POLYGON.
    uint32_t kind;
    uint32_t is_relation;
    uint32_t first_tag, tag_count;
    uint32_t first_ring, ring_count;
} wr_osm_feature;

/// A position, a stretch of a line between nodes that the file lacks, or a ring of a polygon, whose last point is its first
/// one. The rings within an outer ring follow it.
typedef struct {
    uint32_t first_point, point_count;
    uint32_t is_inner;
} wr_osm_ring;

typedef struct {
    /// The box that was read.
    wr_osm_box box;
    /// The box of the file's header, else that of its nodes.
    wr_osm_box covered;
    const wr_osm_feature *features;
    size_t feature_count;
    const wr_osm_tag *tags;
    size_t tag_count;
    const wr_osm_ring *rings;
    size_t ring_count;
    const wr_osm_point *points;
    size_t point_count;
    /// Values of tags, each with a NUL at its end.
    const char *texts;
    size_t text_bytes;
    /// Objects of the file.
    uint64_t nodes, ways, relations;
    /// Polygons that are left out because the file lacks a part of them, or because they cross themselves or would take minutes
    /// to assemble, and those whose border goes straight where the file lacks nodes.
    uint64_t incomplete, crossing, shortened;
} wr_osm_extract;

typedef enum {
    WR_OSM_DONE,
    /// The file cannot be read: `code` is an errno.
    WR_OSM_UNREADABLE,
    /// It is no OpenStreetMap file.
    WR_OSM_UNKNOWN,
    WR_OSM_DAMAGED,
    /// A node follows a way, or very many nodes are not in the order of their ids.
    WR_OSM_UNSORTED,
    /// The box holds more than `max_bytes`.
    WR_OSM_TOO_LARGE,
    /// The file has more nodes than `max_region_bytes` hold.
    WR_OSM_TOO_MANY,
    /// The box lies outside of what the file covers. The extract has only its boxes.
    WR_OSM_OUTSIDE,
    /// It has no nodes.
    WR_OSM_EMPTY,
    WR_OSM_STOPPED,
    WR_OSM_NO_MEMORY,
    /// libexpat cannot be loaded.
    WR_OSM_NO_LIBRARY,
} wr_osm_status;

typedef struct {
    wr_osm_status status;
    int code;
    /// What libosmium says of a damaged file; otherwise empty.
    char reason[256];
} wr_osm_result;

/// Reads a file, which is opened four times, and stores what the rules select in the box: objects that touch it, or surround
/// it, whole. `extract` is to be released with `wr_osm_free`; it is NULL after a failure other than WR_OSM_OUTSIDE.
///
/// Of the other objects it keeps less than 2 bytes for each node while it reads.
wr_osm_result wr_osm_read(const wr_osm_request *request, wr_osm_extract **extract);

void wr_osm_free(wr_osm_extract *extract);

/// Loads libexpat, which XML needs. Returns NULL, or the reason why it cannot be loaded.
const char *wr_expat_load(void);

#ifdef __cplusplus
}
#endif

#endif
