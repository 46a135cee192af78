/**
 * The partition of a key, as Kafka's own clients in Java choose it (murmur2), so that other producers of a topic put
 * the same key into the same partition.
 *
 * @param count how many partitions the topic has
 */
export function partitionOfKey(key: string, count: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % count;
}

const multiplier = 0x5bd1e995;

/** `org.apache.kafka.common.utils.Utils.murmur2`. */
function murmur2(bytes: Buffer): number {
  let hash = 0x9747b28c ^ bytes.length;
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    let word = Math.imul(bytes.readInt32LE(at), multiplier);
    word = Math.imul(word ^ (word >>> 24), multiplier);
    hash = Math.imul(hash, multiplier) ^ word;
  }
  const rest = bytes.subarray(at);
  for (const [index, byte] of rest.entries()) hash ^= byte << (8 * index);
  if (rest.length > 0) hash = Math.imul(hash, multiplier);
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return hash ^ (hash >>> 15);
}
