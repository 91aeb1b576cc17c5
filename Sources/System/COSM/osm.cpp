#include "COSM.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <osmium/io/gzip_compression.hpp>
#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/memory/buffer.hpp>
#include <osmium/osm.hpp>
#include <osmium/thread/pool.hpp>

#include "blocks.hpp"
#include "features.hpp"
#include "regions.hpp"
#include "rules.hpp"

namespace {

using namespace wr_osm;

/// Which sides of the box all nodes of a way are beyond, and whether the way may touch the box.
struct Reach {
    int64_t way;
    Region sides = 0;
    bool touches = false;
};

bool by_way(const Reach &reach, int64_t way) noexcept { return reach.way < way; }

/// A multipolygon relation with tags of a polygon: its ways are those of `Reading::m_members` from `first` on.
struct Multipolygon {
    int64_t id;
    size_t first, count;
};

wr_osm_box box_of(const osmium::Box &box) noexcept {
    return {box.bottom_left().x(), box.bottom_left().y(), box.top_right().x(), box.top_right().y()};
}

bool are_apart(const wr_osm_box &a, const wr_osm_box &b) noexcept {
    return a.east < b.west || b.east < a.west || a.north < b.south || b.north < a.south;
}

/// Reads a file in four passes, so that only what is in the box is ever stored: multipolygons; the regions of nodes, which say
/// what touches the box; that; and the positions of its nodes.
class Reading {
  public:
    Reading(const wr_osm_request &request, Extract &extract)
        : m_request(request), m_rules(request.rules, request.rule_count), m_extract(extract),
          m_file(request.path, format_of(request.path)), m_pool(std::max(1, request.threads), max_waiting_blocks),
          m_features(extract, m_rules) {}

    void run() {
        if (m_file.format() == osmium::io::file_format::pbf)
            BlockCheck::run(m_request.path);
        else
            ElementCheck::run(m_request.path);
        find_box();
        list_multipolygons();
        find_what_touches();
        store_objects();
        place_nodes();
        for (const auto &way : m_objects.select<osmium::Way>()) m_features.add(way), check_size(), check_stop();
        for (const auto &relation : m_objects.select<osmium::Relation>()) m_features.add(relation), check_size(), check_stop();
        m_extract.publish();
    }

  private:
    static constexpr size_t max_waiting_blocks = 8;
    /// How many nodes may be out of order.
    static constexpr size_t max_disorder = 1'000'000;

    const wr_osm_request &m_request;
    const Rules m_rules;
    Extract &m_extract;
    const osmium::io::File m_file;
    osmium::thread::Pool m_pool;

    std::vector<Multipolygon> m_multipolygons;
    std::vector<int64_t> m_members;
    /// The ways that multipolygons have, and whether they may touch the box; by their ids.
    std::vector<Reach> m_reaches;
    /// The ids of ways and relations to store, in ascending order.
    std::vector<int64_t> m_ways, m_relations;
    osmium::memory::Buffer m_objects{1 << 20, osmium::memory::Buffer::auto_grow::yes};
    /// The nodes of these ways, in ascending order, and their positions.
    std::vector<int64_t> m_nodes;
    std::vector<osmium::Location> m_locations;
    Features m_features;

    /// Returns the format by the first bytes of a file.
    static const char *format_of(const char *path) {
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) throw Failure{WR_OSM_UNREADABLE, errno};
        unsigned char bytes[16];
        ssize_t count = read(file, bytes, sizeof bytes);
        int code = errno;
        close(file);
        if (count < 0) throw Failure{WR_OSM_UNREADABLE, code};
        auto begins = [&](std::string_view start, ssize_t at) {
            return count >= at + static_cast<ssize_t>(start.size()) && !memcmp(bytes + at, start.data(), start.size());
        };
        if (begins("\n\x09OSMHeader", 4)) return "pbf";
        bool is_gzip = begins("\x1F\x8B", 0);
        if (!is_gzip && !begins("<", 0) && !begins("\xEF\xBB\xBF<", 0)) throw Failure{WR_OSM_UNKNOWN};
        if (wr_expat_load()) throw Failure{WR_OSM_NO_LIBRARY};
        return is_gzip ? "osm.gz" : "osm";
    }

    template <typename Visit>
    void for_each_block(osmium::osm_entity_bits::type types, Visit &&visit) {
        osmium::io::Reader reader{m_file, types, osmium::io::read_meta::no, m_pool};
        while (osmium::memory::Buffer buffer = reader.read()) {
            check_stop();
            visit(buffer);
        }
        reader.close();
    }

    void check_stop() const {
        if (m_request.must_stop(m_request.context)) throw Failure{WR_OSM_STOPPED};
    }

    void check_size(size_t more = 0) const {
        size_t bytes = m_extract.bytes() + m_objects.committed() + more
                       + (m_nodes.size() + m_ways.size() + m_relations.size() + m_members.size()) * sizeof(int64_t)
                       + m_locations.size() * sizeof(osmium::Location);
        if (bytes > m_request.max_bytes) throw Failure{WR_OSM_TOO_LARGE};
    }

    /// Sets the box to that of the request, else of the file's header, else of its nodes.
    void find_box() {
        osmium::Box header;
        {
            osmium::io::Reader reader{m_file, osmium::osm_entity_bits::nothing, osmium::io::read_meta::no, m_pool};
            // The header is a copy, whose boxes end with it.
            const osmium::io::Header read = reader.header();
            for (const osmium::Box &box : read.boxes())
                if (box.valid()) header.extend(box);
            reader.close();
        }
        if (!header) {
            for_each_block(osmium::osm_entity_bits::node, [&](const osmium::memory::Buffer &buffer) {
                for (const auto &node : buffer.select<osmium::Node>())
                    if (node.location().valid()) header.extend(node.location());
            });
            if (!header) throw Failure{WR_OSM_EMPTY};
        }
        m_extract.covered = box_of(header);
        m_extract.box = m_request.box ? *m_request.box : m_extract.covered;
        if (are_apart(m_extract.box, m_extract.covered)) throw Failure{WR_OSM_OUTSIDE};
    }

    static bool is_multipolygon(const osmium::Relation &relation) {
        bool is_multipolygon = false;
        for_each_tag(relation.tags(), [&](const char *key, const char *value) {
            if (!strcmp(key, "type") && (!strcmp(value, "multipolygon") || !strcmp(value, "boundary")))
                is_multipolygon = true;
        });
        return is_multipolygon;
    }

    void list_multipolygons() {
        for_each_block(osmium::osm_entity_bits::relation, [&](const osmium::memory::Buffer &buffer) {
            for (const auto &relation : buffer.select<osmium::Relation>()) {
                m_extract.relations++;
                if (!is_multipolygon(relation) || !(m_rules.kinds(relation.tags()) & WR_OSM_POLYGON)) continue;
                Multipolygon multipolygon{relation.id(), m_members.size(), 0};
                for (const auto &member : relation.members())
                    if (member.type() == osmium::item_type::way) m_members.push_back(member.ref());
                multipolygon.count = m_members.size() - multipolygon.first;
                m_multipolygons.push_back(multipolygon);
            }
            check_size();
        });
        for (int64_t way : m_members) m_reaches.push_back({way});
        std::sort(m_reaches.begin(), m_reaches.end(), [](const Reach &a, const Reach &b) { return a.way < b.way; });
        auto end = std::unique(
            m_reaches.begin(), m_reaches.end(), [](const Reach &a, const Reach &b) { return a.way == b.way; });
        m_reaches.erase(end, m_reaches.end());
    }

    Reach *reach(int64_t way) {
        auto found = std::lower_bound(m_reaches.begin(), m_reaches.end(), way, by_way);
        return found == m_reaches.end() || found->way != way ? nullptr : &*found;
    }

    Reach reach(const osmium::Way &way, NodeRegions &regions) {
        Reach reach{way.id()};
        Region previous = all_sides;
        for (const auto &node : way.nodes()) {
            Region region;
            if (!regions.find(node.ref(), region)) continue;
            reach.sides |= region;
            // A line between two regions that share a side does not touch the box.
            if (!(previous & region)) reach.touches = true;
            previous = region;
        }
        return reach;
    }

    void find_what_touches() {
        NodeRegions regions;
        for_each_block(
            osmium::osm_entity_bits::node | osmium::osm_entity_bits::way, [&](const osmium::memory::Buffer &buffer) {
                for (const auto &object : buffer.select<osmium::OSMObject>()) {
                    if (object.type() == osmium::item_type::node) {
                        if (m_extract.ways) throw Failure{WR_OSM_UNSORTED};
                        m_extract.nodes++;
                        auto location = static_cast<const osmium::Node &>(object).location();
                        if (location.valid())
                            regions.add(object.id(), region_of(location.x(), location.y(), m_extract.box));
                    } else {
                        m_extract.ways++;
                        const auto &way = static_cast<const osmium::Way &>(object);
                        Reach *member = reach(way.id());
                        Kinds kinds = m_rules.kinds(way.tags());
                        if (!member && !kinds) continue;
                        Reach found = reach(way, regions);
                        if (member) *member = found;
                        // A ring that touches nothing may surround the box.
                        bool surrounds = kinds & WR_OSM_POLYGON && found.sides == all_sides && way.is_closed();
                        if (kinds && (found.touches || surrounds)) m_ways.push_back(way.id());
                    }
                }
                check_size();
                if (regions.disorder() > max_disorder) throw Failure{WR_OSM_UNSORTED};
                if (regions.bytes() > m_request.max_region_bytes) throw Failure{WR_OSM_TOO_MANY};
            });
        for (const Multipolygon &multipolygon : m_multipolygons) {
            bool touches = false;
            Region sides = 0;
            auto first = m_members.begin() + static_cast<ptrdiff_t>(multipolygon.first);
            auto end = first + static_cast<ptrdiff_t>(multipolygon.count);
            for (auto way = first; way != end; way++) {
                const Reach *found = reach(*way);
                touches = touches || found->touches;
                sides |= found->sides;
            }
            if (!touches && sides != all_sides) continue;
            m_relations.push_back(multipolygon.id);
            m_ways.insert(m_ways.end(), first, end);
        }
        m_multipolygons = {}, m_members = {}, m_reaches = {};
        sort_once(m_ways);
        sort_once(m_relations);
        check_size();
    }

    static void sort_once(std::vector<int64_t> &ids) {
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    }

    static bool holds(const std::vector<int64_t> &ids, int64_t id) {
        return std::binary_search(ids.begin(), ids.end(), id);
    }

    void store_objects() {
        for_each_block(
            osmium::osm_entity_bits::way | osmium::osm_entity_bits::relation, [&](const osmium::memory::Buffer &buffer) {
                for (const auto &object : buffer.select<osmium::OSMObject>()) {
                    bool is_way = object.type() == osmium::item_type::way;
                    if (!holds(is_way ? m_ways : m_relations, object.id())) continue;
                    m_objects.add_item(object);
                    m_objects.commit();
                    if (!is_way) continue;
                    for (const auto &node : static_cast<const osmium::Way &>(object).nodes()) m_nodes.push_back(node.ref());
                }
                check_size();
            });
        sort_once(m_nodes);
        check_size(m_nodes.size() * sizeof(osmium::Location));
        m_locations.resize(m_nodes.size());
    }

    /// Sets the positions of the nodes of stored ways, and adds nodes of their own.
    void place_nodes() {
        for_each_block(osmium::osm_entity_bits::node, [&](const osmium::memory::Buffer &buffer) {
            for (const auto &node : buffer.select<osmium::Node>()) {
                if (!node.location().valid()) continue;
                auto found = std::lower_bound(m_nodes.begin(), m_nodes.end(), node.id());
                if (found != m_nodes.end() && *found == node.id())
                    m_locations[static_cast<size_t>(found - m_nodes.begin())] = node.location();
                if (!region_of(node.location().x(), node.location().y(), m_extract.box)) m_features.add(node);
            }
            check_size();
        });
        for (auto &way : m_objects.select<osmium::Way>()) {
            m_features.keep(way);
            for (auto &node : way.nodes()) {
                auto found = std::lower_bound(m_nodes.begin(), m_nodes.end(), node.ref());
                if (found != m_nodes.end() && *found == node.ref())
                    node.set_location(m_locations[static_cast<size_t>(found - m_nodes.begin())]);
            }
        }
    }
};

wr_osm_result failed(wr_osm_status status, const char *reason = "", int code = 0) {
    wr_osm_result result{status, code, ""};
    strncpy(result.reason, reason, sizeof result.reason - 1);
    return result;
}

}  // namespace

wr_osm_result wr_osm_read(const wr_osm_request *request, wr_osm_extract **extract) {
    *extract = nullptr;
    try {
        auto read = std::make_unique<Extract>();
        static_cast<wr_osm_extract &>(*read) = {};
        try {
            Reading(*request, *read).run();
        } catch (const Failure &failure) {
            if (failure.status == WR_OSM_OUTSIDE) *extract = read.release();
            return failed(failure.status, "", failure.code);
        }
        *extract = read.release();
        return failed(WR_OSM_DONE);
    } catch (const std::bad_alloc &) {
        return failed(WR_OSM_NO_MEMORY);
    } catch (const std::system_error &error) {
        // Also threads that cannot be started.
        return failed(WR_OSM_UNREADABLE, "", error.code().value());
    } catch (const std::exception &error) {
        return failed(WR_OSM_DAMAGED, error.what());
    } catch (...) {
        return failed(WR_OSM_DAMAGED, "it cannot be read");
    }
}

void wr_osm_free(wr_osm_extract *extract) { delete static_cast<Extract *>(extract); }
