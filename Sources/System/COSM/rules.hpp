#ifndef WR_COSM_RULES_HPP
#define WR_COSM_RULES_HPP

#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include <osmium/osm/tag.hpp>

#include "COSM.h"

namespace wr_osm {

using Kinds = uint32_t;

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

}  // namespace wr_osm

#endif
