import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { sourceForm } from '../testing/form.ts'
import { readUpload } from './read-upload.ts'

afterEach(() => {
  vi.useRealTimers()
})

const { payload, headers } = sourceForm('contract A {}')

const requestOf = (raw: Readable): FastifyRequest => ({ raw, headers }) as unknown as FastifyRequest

/** A client that sends what it is given and then waits. */
const client = (): Readable => new Readable({ read() {} })

test('a form is read, however small its pieces', async () => {
  const upload = await readUpload(requestOf(Readable.from([...payload].map((byte) => Buffer.from([byte])))), 100)
  expect(upload.files[0]).toMatchObject({ name: 'Vault.sol', isTooLarge: false })
})

test('an upload that does not arrive within a minute is refused, byte by byte or not at all', async () => {
  vi.useFakeTimers()
  const raw = client()
  const reading = readUpload(requestOf(raw), 1_000)
  reading.catch(() => {})
  for (let second = 0; second < 59; second++) {
    raw.push(payload.subarray(second, second + 1))
    await vi.advanceTimersByTimeAsync(1000)
  }
  await vi.advanceTimersByTimeAsync(1000)
  await expect(reading).rejects.toMatchObject({ refusal: 'requestTimeout' })
})

test('a client that goes away in the middle ends the reading', async () => {
  const raw = client()
  const reading = readUpload(requestOf(raw), 1_000)
  raw.push(payload.subarray(0, 50))
  setImmediate(() => raw.destroy())
  await expect(reading).rejects.toMatchObject({ refusal: 'badRequest' })
})

test('more than any acceptable form holds is refused while it comes', async () => {
  const raw = new Readable({
    read() {
      this.push(Buffer.alloc(64 * 1024, 'x'))
    },
  })
  await expect(readUpload(requestOf(raw), 1_000)).rejects.toMatchObject({ refusal: 'fileTooLarge' })
})

test('a file is refused at the first piece beyond its limit, without another being asked for', async () => {
  const head = payload.subarray(0, payload.indexOf('\r\n\r\n') + 4)
  const pieces = [head, Buffer.alloc(1_000, 'x'), Buffer.alloc(100, 'x')]
  let reads = 0
  const raw = new Readable({
    highWaterMark: 1,
    read() {
      reads += 1
      const piece = pieces.shift()
      // After these nothing comes for ever.
      if (piece) this.push(piece)
    },
  })
  const { files } = await readUpload(requestOf(raw), 1_000)
  expect(files).toMatchObject([{ isTooLarge: true, bytes: { length: 1_001 } }])
  expect(reads).toBeLessThanOrEqual(4)
})
