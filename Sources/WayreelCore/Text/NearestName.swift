/// Returns the most similar of `names`, or nil if none is within one edit per three letters.
///
/// Uses the Damerau–Levenshtein distance (optimal string alignment), ignoring case.
package func nearestName(to text: String, in names: some Sequence<String>) -> String? {
    let wanted = Array(text.lowercased().utf8.prefix(64))
    let limit = max(1, wanted.count / 3)
    return
        names
        .map { (name: $0, distance: editDistance(wanted, Array($0.lowercased().utf8))) }
        .filter { $0.distance <= limit }
        .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?
        .name
}

private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var distance = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                distance = min(distance, beforeLast[j - 1] + 1)
            }
            row.append(distance)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
