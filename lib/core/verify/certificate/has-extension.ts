/**
 * Checks whether an X.509 certificate has an extension, which `X509Certificate` of Node doesn't tell.
 *
 * @param certificate DER
 * @param oid the content of the object identifier in DER, in hexadecimal
 */
export function hasExtension(certificate: Uint8Array, oid: string): boolean {
  const der = Buffer.from(certificate.buffer, certificate.byteOffset, certificate.byteLength);
  const whole = readElement(der, 0, der.length);
  if (whole === null || whole.tag !== sequence || whole.end !== der.length) return false;
  const [toBeSigned] = readChildren(der, whole);
  if (toBeSigned?.tag !== sequence) return false;
  const wrapper = readChildren(der, toBeSigned).find(({ tag }) => tag === extensionsTag);
  const [list] = wrapper === undefined ? [] : readChildren(der, wrapper);
  if (list?.tag !== sequence) return false;
  return readChildren(der, list).some((extension) => {
    const [id] = extension.tag === sequence ? readChildren(der, extension) : [];
    return id?.tag === objectIdentifier && der.toString("hex", id.start, id.end) === oid;
  });
}

/** The tags of X.690 and, for the extensions, of RFC 5280, 4.1. */
const sequence = 0x30;
const objectIdentifier = 0x06;
const extensionsTag = 0xa3;

/** A certificate of Apple has some 20 elements on a level. */
const maxChildren = 100;

/** `start` and `end` delimit the content. */
type Element = { readonly tag: number; readonly start: number; readonly end: number };

/** Empty if one of the elements isn't valid, or there are too many. */
function readChildren(der: Buffer, { start, end }: Element): readonly Element[] {
  const children: Element[] = [];
  for (let at = start; at < end; ) {
    const child = readElement(der, at, end);
    if (child === null || children.length === maxChildren) return [];
    children.push(child);
    at = child.end;
  }
  return children;
}

/** Null if the element doesn't end before `limit`, or isn't DER. Lengths have at most two bytes. */
function readElement(der: Buffer, at: number, limit: number): Element | null {
  if (at + 2 > limit) return null;
  const tag = der.readUInt8(at);
  const first = der.readUInt8(at + 1);
  const size = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + size;
  if ((first >= 0x80 && size !== 1 && size !== 2) || start > limit) return null;
  const end = start + (size === 0 ? first : der.readUIntBE(at + 2, size));
  return end > limit ? null : { tag, start, end };
}
