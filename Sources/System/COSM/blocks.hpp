#ifndef WR_COSM_BLOCKS_HPP
#define WR_COSM_BLOCKS_HPP

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <protozero/pbf_reader.hpp>
#include <zlib.h>

namespace wr_osm {

/// Checks the blocks of a PBF file (wiki.openstreetmap.org/wiki/PBF_Format): libosmium makes more than 20 bytes of each byte of
/// a block, of which the format allows 32 MiB, and decodes several at once. Writers put 8,000 objects into a block; a way or a
/// relation takes as much as eight nodes of ways.
class BlockCheck {
  public:
    /// Throws if a block has too many objects. What else is wrong with a file is left to its reader.
    static void run(const char *path) {
        std::unique_ptr<FILE, int (*)(FILE *)> file{fopen(path, "rbe"), fclose};
        if (!file) return;
        std::string data, unpacked;
        unsigned char length[4];
        while (fread(length, 1, sizeof length, file.get()) == sizeof length) {
            auto size = static_cast<uint32_t>(length[0] << 24 | length[1] << 16 | length[2] << 8 | length[3]);
            if (!read(file.get(), size, max_header, data)) return;
            protozero::pbf_reader header{data};
            if (!header.next(3) || !read(file.get(), header.get_uint32(), max_block, data)) return;
            check(data, unpacked);
        }
    }

  private:
    static constexpr uint32_t max_header = 64 << 10;
    static constexpr uint32_t max_block = 32 << 20;
    /// Blocks below this size are not looked into.
    static constexpr uint32_t small = 16 << 10;
    /// Objects, nodes of ways, and members of relations.
    static constexpr uint64_t max_objects = 4'000'000;
    static constexpr uint64_t max_nodes = 100'000;
    /// Texts of a block, and bytes of the tags and roles that name them: a number of one byte may stand for a long text.
    static constexpr size_t max_strings = 1'000'000;
    static constexpr uint64_t max_texts = 64 << 20;

    static bool read(FILE *file, uint32_t size, uint32_t limit, std::string &data) {
        if (size > limit) return false;
        data.resize(size);
        return fread(data.data(), 1, size, file) == size;
    }

    static void check(const std::string &data, std::string &unpacked) {
        protozero::data_view packed, block;
        uint32_t size = 0;
        protozero::pbf_reader blob{data};
        while (blob.next()) switch (blob.tag()) {
            case 1: block = blob.get_view(); break;
            case 2: size = blob.get_uint32(); break;
            case 3: packed = blob.get_view(); break;
            default: blob.skip();
            }
        if (packed.size() && size > small && size <= max_block) {
            unpacked.resize(size);
            uLongf count = size;
            auto bytes = reinterpret_cast<const Bytef *>(packed.data());
            if (uncompress(reinterpret_cast<Bytef *>(unpacked.data()), &count, bytes, packed.size()) != Z_OK) return;
            block = {unpacked.data(), count};
        }
        if (block.size() > small) count(block);
    }

    /// Returns how many numbers the fields `tag` of a message list.
    static uint64_t numbers(protozero::pbf_reader message, protozero::pbf_tag_type tag) {
        uint64_t sum = 0;
        while (message.next(tag)) {
            auto list = message.get_view();
            // The last byte of a number is below 128.
            auto is_last = [](char byte) { return !(static_cast<unsigned char>(byte) & 0x80); };
            sum += static_cast<uint64_t>(std::count_if(list.data(), list.data() + list.size(), is_last));
        }
        return sum;
    }

    /// Returns how many bytes the texts have that the numbers of the fields `tag` of a message name.
    static uint64_t texts(protozero::pbf_reader message, protozero::pbf_tag_type tag, const std::vector<uint32_t> &lengths) {
        uint64_t sum = 0;
        while (message.next(tag))
            for (uint32_t text : message.get_packed_uint32())
                if (text < lengths.size()) sum += lengths[text] + 1;
        return sum;
    }

    /// Returns the lengths of the block's texts.
    static std::vector<uint32_t> lengths_of_texts(protozero::data_view block) {
        std::vector<uint32_t> lengths;
        protozero::pbf_reader tables{block};
        while (tables.next(1)) {
            protozero::pbf_reader table = tables.get_message();
            while (table.next(1)) {
                if (lengths.size() == max_strings) throw std::runtime_error("a block has too many texts");
                lengths.push_back(static_cast<uint32_t>(table.get_view().size()));
            }
        }
        return lengths;
    }

    static void count(protozero::data_view block) {
        const auto lengths = lengths_of_texts(block);
        uint64_t nodes = 0, others = 0, bytes = 0;
        protozero::pbf_reader groups{block};
        while (groups.next(2)) {
            protozero::pbf_reader group = groups.get_message();
            while (group.next()) switch (group.tag()) {
                case 1: {
                    const auto node = group.get_message();
                    nodes++, bytes += texts(node, 2, lengths) + texts(node, 3, lengths);
                    break;
                }
                case 2: {
                    const auto dense = group.get_message();
                    nodes += numbers(dense, 1), bytes += texts(dense, 10, lengths);
                    break;
                }
                case 3: {
                    const auto way = group.get_message();
                    others += 8 + numbers(way, 8), bytes += texts(way, 2, lengths) + texts(way, 3, lengths);
                    break;
                }
                case 4: {
                    const auto relation = group.get_message();
                    others += 8 + numbers(relation, 10);
                    bytes += texts(relation, 2, lengths) + texts(relation, 3, lengths) + texts(relation, 8, lengths);
                    break;
                }
                default: nodes++, group.skip();
                }
        }
        if (nodes > max_nodes || others > max_objects) throw std::runtime_error("a block has too many objects");
        if (bytes > max_texts) throw std::runtime_error("a block has too many texts");
    }
};

/// Checks the elements of an XML file, which may be gzipped: its parser holds an element until it ends.
class ElementCheck {
  public:
    /// Throws if an element or a text is too long. What else is wrong with a file is left to its reader.
    static void run(const char *path) {
        std::unique_ptr<gzFile_s, int (*)(gzFile)> file{gzopen(path, "rbe"), gzclose};
        if (!file) return;
        std::string data(1 << 16, 0);
        int count;
        ElementCheck check;
        while ((count = gzread(file.get(), data.data(), static_cast<unsigned>(data.size()))) > 0)
            for (int i = 0; i < count; i++) check.take(data[static_cast<size_t>(i)]);
    }

  private:
    static constexpr size_t max_length = 1 << 20;

    enum class State { text, markup, single_quotes, double_quotes, comment, instruction, cdata };
    State m_state = State::text;
    /// How many bytes there are since the last element, comment or other markup has ended.
    size_t m_since = 0;
    /// The beginning of markup, and the two bytes before this one.
    char m_start[8];
    size_t m_started = 0;
    char m_before = 0, m_last = 0;

    /// Only the end of markup counts: a `>` may also stand in a value or a comment.
    void take(char byte) {
        if (++m_since > max_length)
            throw std::runtime_error("an element has more than " + std::to_string(max_length) + " bytes");
        switch (m_state) {
        case State::text:
            if (byte == '<') m_state = State::markup, m_started = 0;
            break;
        case State::markup:
            if (m_started < sizeof(m_start)) m_start[m_started++] = byte;
            if (byte == '>') end();
            else if (byte == '"') m_state = State::double_quotes;
            else if (byte == '\'') m_state = State::single_quotes;
            else if (m_started == 1 && byte == '?') m_state = State::instruction;
            else if (m_started == 3 && std::string_view{m_start, 3} == "!--") m_state = State::comment, m_last = 0;
            else if (m_started == 8 && std::string_view{m_start, 8} == "![CDATA[") m_state = State::cdata;
            break;
        case State::double_quotes:
            if (byte == '"') m_state = State::markup;
            break;
        case State::single_quotes:
            if (byte == '\'') m_state = State::markup;
            break;
        case State::comment:
            if (byte == '>' && m_last == '-' && m_before == '-') end();
            break;
        case State::instruction:
            if (byte == '>' && m_last == '?') end();
            break;
        case State::cdata:
            if (byte == '>' && m_last == ']' && m_before == ']') end();
            break;
        }
        m_before = m_last;
        m_last = byte;
    }

    void end() {
        m_state = State::text;
        m_since = 0;
    }
};

}  // namespace wr_osm

#endif
