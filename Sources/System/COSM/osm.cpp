#include "COSM.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

#include <osmium/area/assembler.hpp>
#include <osmium/builder/osm_object_builder.hpp>
#include <osmium/io/gzip_compression.hpp>
#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/memory/buffer.hpp>
#include <osmium/osm.hpp>
#include <osmium/thread/pool.hpp>

#include "blocks.hpp"
#include "regions.hpp"

namespace {

using namespace wr_osm;
using Kinds = uint32_t;

/// Ends the reading with a status.
struct Failure {
    wr_osm_status status;
    int code = 0;
};

/// Calls `visit` with the key and the value of each tag. Texts of a damaged file may have a NUL within, which shifts what
/// follows: libosmium's own iterator then reads beyond the last tag.
template <typename Visit>
void for_each_tag(const osmium::TagList &tags, Visit &&visit) {
    const char *at = reinterpret_cast<const char *>(&tags), *end = at + tags.byte_size();
    auto after = [&](const char *text) -> const char * {
        auto nul = text ? memchr(text, 0, static_cast<size_t>(end - text)) : nullptr;
        return nul ? static_cast<const char *>(nul) + 1 : nullptr;
    };
    at += sizeof(osmium::TagList);
    while (const char *value = after(at)) {
        const char *next = after(value);
        if (!next) return;
        visit(at, value);
        at = next;
    }
}

/// The rules by key and value.
class Rules {
  public:
    struct Key {
        uint32_t rule = 0;
        Kinds others = 0;
        std::unordered_map<std::string_view, Kinds> values;
    };

    Rules(const wr_osm_rule *rules, size_t count) {
        for (size_t i = 0; i < count; i++) {
            auto [key, is_new] = m_keys.try_emplace(rules[i].key);
            if (is_new) key->second.rule = static_cast<uint32_t>(i);
            if (rules[i].value)
                key->second.values[rules[i].value] |= rules[i].kinds;
            else
                key->second.others |= rules[i].kinds;
        }
    }

    const Key *key(const char *name) const {
        auto found = m_keys.find(name);
        return found == m_keys.end() ? nullptr : &found->second;
    }

    Kinds kinds(const osmium::TagList &tags) const {
        Kinds sum = 0;
        for_each_tag(tags, [&](const char *name, const char *value) {
            const Key *rule = key(name);
            if (!rule) return;
            auto found = rule->values.find(value);
            sum |= found == rule->values.end() ? rule->others : found->second;
        });
        return sum;
    }

  private:
    std::unordered_map<std::string_view, Key> m_keys;
};

/// The extract and what its pointers point to.
struct Extract : wr_osm_extract {
    std::vector<wr_osm_feature> feature_store;
    std::vector<wr_osm_tag> tag_store;
    std::vector<wr_osm_ring> ring_store;
    std::vector<wr_osm_point> point_store;
    std::string text_store;

    size_t bytes() const noexcept {
        return feature_store.size() * sizeof(wr_osm_feature) + tag_store.size() * sizeof(wr_osm_tag)
               + ring_store.size() * sizeof(wr_osm_ring) + point_store.size() * sizeof(wr_osm_point) + text_store.size();
    }

    void publish() noexcept {
        features = feature_store.data(), feature_count = feature_store.size();
        tags = tag_store.data(), tag_count = tag_store.size();
        rings = ring_store.data(), ring_count = ring_store.size();
        points = point_store.data(), point_count = point_store.size();
        texts = text_store.data(), text_bytes = text_store.size();
    }
};

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
          m_file(request.path, format_of(request.path)), m_pool(std::max(1, request.threads), max_waiting_blocks) {}

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
        for (const auto &way : m_objects.select<osmium::Way>()) add(way);
        for (const auto &relation : m_objects.select<osmium::Relation>()) add(relation);
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
    /// The stored ways that multipolygons have, by their ids.
    std::unordered_map<int64_t, const osmium::Way *> m_member_ways;
    std::unordered_map<std::string, uint32_t> m_texts;

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
            if (m_request.must_stop(m_request.context)) throw Failure{WR_OSM_STOPPED};
            visit(buffer);
        }
        reader.close();
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
                if (node.tags().empty() || !(m_rules.kinds(node.tags()) & WR_OSM_POINT)) continue;
                wr_osm_point point{node.location().x(), node.location().y()};
                if (region_of(point.longitude, point.latitude, m_extract.box)) continue;
                begin(node, WR_OSM_POINT);
                begin_ring(false);
                add_point(node.location());
            }
            check_size();
        });
        for (auto &way : m_objects.select<osmium::Way>()) {
            m_member_ways[way.id()] = &way;
            for (auto &node : way.nodes()) {
                auto found = std::lower_bound(m_nodes.begin(), m_nodes.end(), node.ref());
                if (found != m_nodes.end() && *found == node.ref())
                    node.set_location(m_locations[static_cast<size_t>(found - m_nodes.begin())]);
            }
        }
    }

    // Features

    static uint32_t index(size_t count) {
        if (count > std::numeric_limits<uint32_t>::max()) throw Failure{WR_OSM_TOO_LARGE};
        return static_cast<uint32_t>(count);
    }

    uint32_t text(const char *value) {
        auto [known, is_new] = m_texts.try_emplace(value, index(m_extract.text_store.size()));
        if (is_new) m_extract.text_store.append(known->first.c_str(), known->first.size() + 1);
        return known->second;
    }

    void begin(const osmium::OSMObject &object, uint32_t kind) {
        wr_osm_feature feature{};
        feature.id = object.id();
        feature.kind = kind;
        feature.is_relation = object.type() == osmium::item_type::relation;
        feature.first_tag = index(m_extract.tag_store.size());
        feature.first_ring = index(m_extract.ring_store.size());
        for_each_tag(object.tags(), [&](const char *name, const char *value) {
            if (const Rules::Key *key = m_rules.key(name)) m_extract.tag_store.push_back({key->rule, text(value)});
        });
        feature.tag_count = index(m_extract.tag_store.size()) - feature.first_tag;
        m_extract.feature_store.push_back(feature);
    }

    void begin_ring(bool is_inner) {
        m_extract.ring_store.push_back({index(m_extract.point_store.size()), 0, is_inner});
        m_extract.feature_store.back().ring_count++;
    }

    void add_point(osmium::Location location) {
        m_extract.point_store.push_back({location.x(), location.y()});
        m_extract.ring_store.back().point_count++;
    }

    template <typename Nodes>
    void add_ring(const Nodes &nodes, bool is_inner) {
        begin_ring(is_inner);
        for (const auto &node : nodes) add_point(node.location());
    }

    static bool is_placed(const osmium::NodeRef &node) { return node.location().valid(); }

    /// Adds the stretches of a line whose nodes the file has.
    void add_line(const osmium::WayNodeList &nodes) {
        for (auto first = std::find_if(nodes.begin(), nodes.end(), is_placed); first != nodes.end();) {
            auto end = std::find_if_not(first, nodes.end(), is_placed);
            begin_ring(false);
            std::for_each(first, end, [&](const osmium::NodeRef &node) { add_point(node.location()); });
            first = std::find_if(end, nodes.end(), is_placed);
        }
    }

    void add(const osmium::Way &way) {
        Kinds kinds = m_rules.kinds(way.tags());
        if (kinds & WR_OSM_LINE) {
            begin(way, WR_OSM_LINE);
            add_line(way.nodes());
        }
        // The first and last node of a ring are the same one.
        if (kinds & WR_OSM_POLYGON && way.nodes().size() > 3 && way.is_closed()) {
            osmium::memory::Buffer areas{1 << 12, osmium::memory::Buffer::auto_grow::yes};
            bool is_sound = assemble({&way}, [&](Assembler &assembler) { return assembler(way, areas); });
            add(way, areas, is_sound, std::all_of(way.nodes().begin(), way.nodes().end(), is_placed));
        }
        check_size();
    }

    using Assembler = osmium::area::Assembler;

    /// How many pairs of sides the assembler compares at most, which takes two seconds.
    static constexpr uint64_t max_pairs = 300'000'000;

    /// Returns whether the assembler, which compares all sides whose longitudes overlap, is done with the ways in a short time.
    static bool is_affordable(const std::vector<const osmium::Way *> &ways) {
        std::vector<std::pair<int32_t, int32_t>> sides;
        for (const osmium::Way *way : ways) {
            const auto &nodes = way->nodes();
            for (size_t i = 1; i < nodes.size(); i++)
                sides.push_back(std::minmax({nodes[i - 1].location().x(), nodes[i].location().x()}));
        }
        std::sort(sides.begin(), sides.end());
        uint64_t pairs = 0;
        for (size_t i = 0; i < sides.size() && pairs <= max_pairs; i++) {
            auto end = std::upper_bound(
                sides.begin(), sides.end(), std::pair{sides[i].second, std::numeric_limits<int32_t>::max()});
            pairs += static_cast<uint64_t>(end - sides.begin()) - i;
        }
        return pairs <= max_pairs;
    }

    template <typename Assemble>
    static bool assemble(const std::vector<const osmium::Way *> &ways, Assemble &&assemble) {
        if (!is_affordable(ways)) return false;
        static const Assembler::config_type config = [] {
            Assembler::config_type config;
            config.create_empty_areas = false;
            config.ignore_invalid_locations = true;
            return config;
        }();
        Assembler assembler{config};
        return assemble(assembler);
    }

    /// Adds what was assembled. `is_whole`: whether the file has all of it.
    void add(const osmium::OSMObject &object, const osmium::memory::Buffer &areas, bool is_sound, bool is_whole) {
        if (is_sound) {
            m_extract.shortened += !is_whole;
        } else {
            (is_whole ? m_extract.crossing : m_extract.incomplete)++;
        }
        for (const auto &area : areas.select<osmium::Area>()) {
            begin(object, WR_OSM_POLYGON);
            for (const auto &outer : area.outer_rings()) {
                add_ring(outer, false);
                for (const auto &inner : area.inner_rings(outer)) add_ring(inner, true);
            }
        }
    }

    void add(const osmium::Relation &relation) {
        // The assembler expects a way for each member that is one.
        osmium::memory::Buffer known{1 << 12, osmium::memory::Buffer::auto_grow::yes};
        std::vector<const osmium::Way *> ways;
        bool is_whole = true;
        {
            osmium::builder::RelationBuilder builder{known};
            builder.set_id(relation.id());
            osmium::builder::RelationMemberListBuilder members{builder};
            for (const auto &member : relation.members()) {
                if (member.type() != osmium::item_type::way) continue;
                auto way = m_member_ways.find(member.ref());
                if (way == m_member_ways.end()) {
                    is_whole = false;
                    continue;
                }
                members.add_member(member.type(), member.ref(), member.role());
                ways.push_back(way->second);
                const auto &nodes = way->second->nodes();
                is_whole = is_whole && std::all_of(nodes.begin(), nodes.end(), is_placed);
            }
        }
        known.commit();
        const auto &part = known.get<osmium::Relation>(0);
        osmium::memory::Buffer areas{1 << 12, osmium::memory::Buffer::auto_grow::yes};
        bool is_sound = assemble(ways, [&](Assembler &assembler) { return assembler(part, ways, areas); });
        // Without some of its outer rings, inner rings would become outer ones.
        if (is_sound && !is_whole && !has_outer_roles(areas, part)) {
            is_sound = false;
            areas.clear();
        }
        add(relation, areas, is_sound, is_whole);
        check_size();
    }

    /// Returns whether the outer rings have no node of a way whose role is inner.
    bool has_outer_roles(const osmium::memory::Buffer &areas, const osmium::Relation &relation) const {
        std::vector<int64_t> inner;
        for (const auto &member : relation.members())
            if (!strcmp(member.role(), "inner"))
                for (const auto &node : m_member_ways.at(member.ref())->nodes()) inner.push_back(node.ref());
        std::sort(inner.begin(), inner.end());
        for (const auto &area : areas.select<osmium::Area>())
            for (const auto &ring : area.outer_rings()) {
                bool is_inner = std::all_of(
                    ring.begin(), ring.end(), [&](const osmium::NodeRef &node) { return holds(inner, node.ref()); });
                if (is_inner) return false;
            }
        return true;
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
