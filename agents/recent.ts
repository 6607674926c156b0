/** Sets an entry of a map as its newest one, and deletes the oldest one if the map has more than `most`. */
export function putRecent<Key, Entry>(map: Map<Key, Entry>, key: Key, entry: Entry, most: number): void {
  map.delete(key);
  map.set(key, entry);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
