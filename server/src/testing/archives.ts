import { deflateRawSync } from 'node:zlib'

type Files = Readonly<Record<string, string | Buffer>>
interface Odd {
  readonly links?: readonly string[]
}

/** A zip as archivers write it. */
export function makeZip(files: Files, { links = [] }: Odd = {}): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path)
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(bytes.length, 22)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(bytes.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(((links.includes(path) ? 0o120777 : 0o100644) << 16) >>> 0, 38)
    entry.writeUInt32LE(at, 42)
    locals.push(local, name, packed)
    directory.push(entry, name)
    at += 30 + name.length + packed.length
  }
  const entries = Object.keys(files).length
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, ...directory, end])
}

/** A ustar archive. */
export function makeTar(files: Files, { links = [] }: Odd = {}): Buffer {
  const blocks = Object.entries(files).flatMap(([path, content]) => {
    const bytes = Buffer.from(content)
    const head = Buffer.alloc(512)
    head.write(path, 0)
    head.write('0000644\0', 100)
    head.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    head.write(links.includes(path) ? '2' : '0', 156)
    head.write('ustar\u000000', 257)
    head.fill(' ', 148, 156)
    const sum = head.reduce((total, byte) => total + byte, 0)
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
