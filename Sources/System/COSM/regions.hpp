#ifndef WR_COSM_REGIONS_HPP
#define WR_COSM_REGIONS_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "COSM.h"

namespace wr_osm {

/// The sides of the box that a position is beyond, as in the algorithm of Cohen and Sutherland: 0 in the box, and 15 of a way
/// or polygon that is beyond all of them with different nodes.
using Region = uint8_t;

inline constexpr Region all_sides = 15;

inline Region region_of(int32_t longitude, int32_t latitude, const wr_osm_box &box) noexcept {
    return static_cast<Region>(
        (longitude < box.west ? 1 : 0) | (longitude > box.east ? 2 : 0) | (latitude < box.south ? 4 : 0)
        | (latitude > box.north ? 8 : 0));
}

/// The regions of all nodes of a file, by their ids. Most nodes take one byte: files have them in ascending order, and many
/// were made one after the other. What is out of order takes 16 bytes.
class NodeRegions {
  public:
    NodeRegions() : m_decoded(cache_size) {}

    /// How many nodes are out of order.
    size_t disorder() const noexcept { return m_others.size(); }

    size_t bytes() const noexcept {
        return m_chunks.size() * chunk_size + m_blocks.size() * sizeof(Block) + m_others.size() * sizeof(m_others[0]);
    }

    void add(int64_t id, Region region) {
        if (!m_blocks.empty() && id <= m_last) {
            m_others.emplace_back(id, region);
            m_sorted = false;
            return;
        }
        if (m_blocks.empty() || m_in_block == block_size) begin_block(id);
        auto difference = static_cast<uint64_t>(id) - static_cast<uint64_t>(m_last);
        // The largest difference has 64 bits: its upper four are kept apart from the region.
        put(difference << 4 | region, difference >> 60);
        m_last = id;
        ++m_in_block;
    }

    /// Returns whether the node is known, and its region.
    bool find(int64_t id, Region &region) {
        if (find_in_order(id, region)) return true;
        if (!m_sorted) {
            std::sort(m_others.begin(), m_others.end());
            m_sorted = true;
        }
        auto other = std::lower_bound(m_others.begin(), m_others.end(), std::pair<int64_t, Region>{id, 0});
        if (other == m_others.end() || other->first != id) return false;
        region = other->second;
        return true;
    }

  private:
    static constexpr int block_size = 64;
    static constexpr size_t chunk_size = 1 << 20;
    static constexpr size_t max_entry = 11;
    static constexpr size_t cache_size = 512;

    struct Block {
        int64_t first;
        const unsigned char *bytes;
    };

    struct Decoded {
        const Block *block = nullptr;
        int count = 0;
        std::array<int64_t, block_size> ids;
        std::array<Region, block_size> regions;
    };

    std::vector<Block> m_blocks;
    std::vector<std::unique_ptr<unsigned char[]>> m_chunks;
    size_t m_used = chunk_size;
    int m_in_block = 0;
    int64_t m_last = 0;
    std::vector<std::pair<int64_t, Region>> m_others;
    bool m_sorted = true;
    std::vector<Decoded> m_decoded;
    size_t m_recent = 0;

    void begin_block(int64_t id) {
        if (m_used + block_size * max_entry > chunk_size) {
            m_chunks.emplace_back(new unsigned char[chunk_size]);
            m_used = 0;
        }
        m_blocks.push_back({id, m_chunks.back().get() + m_used});
        m_in_block = 0;
        m_last = id;
    }

    void put(uint64_t low, uint64_t high) {
        unsigned char *bytes = m_chunks.back().get();
        // The bits above 63 are those of `high`.
        while (low > 0x7F || high) {
            bytes[m_used++] = static_cast<unsigned char>(low | 0x80);
            low = low >> 7 | high << 57;
            high >>= 7;
        }
        bytes[m_used++] = static_cast<unsigned char>(low);
    }

    bool find_in_order(int64_t id, Region &region) {
        if (m_blocks.empty() || id < m_blocks.front().first || id > m_last) return false;
        size_t index = m_recent;
        bool is_recent = m_blocks[index].first <= id && (index + 1 == m_blocks.size() || id < m_blocks[index + 1].first);
        if (!is_recent) {
            auto next = std::upper_bound(
                m_blocks.begin(), m_blocks.end(), id, [](int64_t wanted, const Block &block) { return wanted < block.first; });
            index = static_cast<size_t>(next - m_blocks.begin()) - 1;
            m_recent = index;
        }
        const Decoded &block = decoded(index);
        auto end = block.ids.begin() + block.count;
        auto found = std::lower_bound(block.ids.begin(), end, id);
        if (found == end || *found != id) return false;
        region = block.regions[static_cast<size_t>(found - block.ids.begin())];
        return true;
    }

    const Decoded &decoded(size_t index) {
        Decoded &kept = m_decoded[index % cache_size];
        const Block &block = m_blocks[index];
        if (kept.block == &block) return kept;
        kept.block = &block;
        kept.count = index + 1 == m_blocks.size() ? m_in_block : block_size;
        const unsigned char *bytes = block.bytes;
        auto id = static_cast<uint64_t>(block.first);
        for (int i = 0; i < kept.count; i++) {
            uint64_t difference = 0;
            auto place = static_cast<size_t>(i);
            kept.regions[place] = *bytes & 15;
            // Three bits of the difference follow those of the region, and seven are in each further byte.
            difference = *bytes >> 4 & 7;
            for (int shift = 3; *bytes++ & 0x80; shift += 7) difference |= static_cast<uint64_t>(*bytes & 0x7F) << shift;
            id += difference;
            kept.ids[place] = static_cast<int64_t>(id);
        }
        return kept;
    }
};

}  // namespace wr_osm

#endif
