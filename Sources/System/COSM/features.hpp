#ifndef WR_COSM_FEATURES_HPP
#define WR_COSM_FEATURES_HPP

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <osmium/area/assembler.hpp>
#include <osmium/builder/osm_object_builder.hpp>
#include <osmium/memory/buffer.hpp>
#include <osmium/osm.hpp>

#include "COSM.h"
#include "rules.hpp"

namespace wr_osm {

/// Ends the reading with a status.
struct Failure {
    wr_osm_status status;
    int code = 0;
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

/// Makes features of objects whose nodes have their positions.
class Features {
  public:
    Features(Extract &extract, const Rules &rules) : m_extract(extract), m_rules(rules) {}

    /// Adds a node if a rule selects it as a point.
    void add(const osmium::Node &node) {
        if (node.tags().empty() || !(m_rules.kinds(node.tags()) & WR_OSM_POINT)) return;
        begin(node, WR_OSM_POINT);
        begin_ring(false);
        add_point(node.location());
    }

    /// Keeps a way for relations that it is a member of. It lives as long as this object.
    void keep(const osmium::Way &way) { m_ways[way.id()] = &way; }

    /// Adds a way as what the rules select it as.
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
    }

    /// Adds the polygons of a multipolygon of which all ways that the file has are kept.
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
                auto way = m_ways.find(member.ref());
                if (way == m_ways.end()) {
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
    }

  private:
    Extract &m_extract;
    const Rules &m_rules;
    std::unordered_map<int64_t, const osmium::Way *> m_ways;
    /// Where each value begins.
    std::unordered_map<std::string, uint32_t> m_texts;

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

    using Assembler = osmium::area::Assembler;

    /// How many pairs of sides the assembler compares at most for an area, which takes two seconds, and for all of them.
    static constexpr uint64_t max_pairs = 300'000'000, max_pairs_of_all = 1'000'000'000;
    uint64_t m_pairs = 0;

    /// Returns whether the assembler, which compares all sides whose longitudes overlap, is done with the ways in a short time.
    bool is_affordable(const std::vector<const osmium::Way *> &ways) {
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
        if (pairs > max_pairs || m_pairs + pairs > max_pairs_of_all) return false;
        m_pairs += pairs;
        return true;
    }

    template <typename Assemble>
    bool assemble(const std::vector<const osmium::Way *> &ways, Assemble &&assemble) {
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

    /// Returns whether the outer rings have no node of a way whose role is inner.
    bool has_outer_roles(const osmium::memory::Buffer &areas, const osmium::Relation &relation) const {
        std::vector<int64_t> inner;
        for (const auto &member : relation.members())
            if (!strcmp(member.role(), "inner"))
                for (const auto &node : m_ways.at(member.ref())->nodes()) inner.push_back(node.ref());
        std::sort(inner.begin(), inner.end());
        for (const auto &area : areas.select<osmium::Area>())
            for (const auto &ring : area.outer_rings()) {
                bool is_inner = std::all_of(ring.begin(), ring.end(), [&](const osmium::NodeRef &node) {
                    return std::binary_search(inner.begin(), inner.end(), node.ref());
                });
                if (is_inner) return false;
            }
        return true;
    }
};

}  // namespace wr_osm

#endif
