import { expect, test } from 'vitest'
import { form } from '../testing/form.ts'
import { BrokenForm, boundaryOf, readMultipart } from './multipart.ts'

const B = 'x-boundary'

/** Hands the text out in pieces of this size. */
function read(text: string | Buffer, pieceBytes = 1_000_000, boundary = B) {
  const bytes = Buffer.from(text)
  let at = 0
  return readMultipart(async () => {
    if (at >= bytes.length) return undefined
    at += pieceBytes
    return bytes.subarray(at - pieceBytes, at)
  }, boundary)
}

async function readAll(text: string | Buffer, pieceBytes?: number, boundary?: string) {
  const reader = read(text, pieceBytes, boundary)
  const parts: [string, string | undefined, string][] = []
  for (let head = await reader.next(); head; head = await reader.next()) {
    parts.push([head.name, head.fileName, (await reader.body(1_000_000)).bytes.toString()])
  }
  return parts
}

const part = (head: string, body: string) => `--${B}\r\n${head}\r\n\r\n${body}\r\n`
const disposition = (parameters: string) => `Content-Disposition: form-data; ${parameters}`
const end = `--${B}--\r\n`

test.each([1, 2, 3, 7, 64, 1_000_000])('fields and files come whole in pieces of %i bytes', async (pieceBytes) => {
  const tricky = `\r\n--${B.slice(0, -1)}\r\n--\r`
  const text = `preamble\r\n${part(disposition('name="a"'), '')}${part(disposition('name="file"; filename="V.sol"'), tricky)}${end}epilogue`
  expect(await readAll(text, pieceBytes)).toEqual([
    ['a', undefined, ''],
    ['file', 'V.sol', tricky],
  ])
})

test('a form as a client sends it', async () => {
  const { payload, headers } = form({ name: 'n', value: 'ü' }, { name: 'file', fileName: 'ö.sol', bytes: '\0\xff' })
  expect(await readAll(payload, 5, boundaryOf(headers['content-type']))).toEqual([
    ['n', undefined, 'ü'],
    ['file', 'ö.sol', '\0\xff'],
  ])
})

test.each([
  ['filename="C:\\dir\\V.sol"', 'C:\\dir\\V.sol'],
  ['filename="a \\"b\\".sol"', 'a "b".sol'],
  ['filename=bare.sol', 'bare.sol'],
  ['filename=""', ''],
  ['filename="x.sol"; filename*=UTF-8\'\'%C3%BC.sol', 'ü.sol'],
  ['filename="x.sol"; filename*=UTF-8\'\'%zz', 'x.sol'],
])('the name of a file: %s', async (parameter, fileName) => {
  const reader = read(part(disposition(`name="file"; ${parameter}`), '') + end)
  expect(await reader.next()).toEqual({ name: 'file', fileName })
})

test('reading stops at the first byte too many', async () => {
  let pulled = 0
  const head = Buffer.from(`--${B}\r\n${disposition('name="file"; filename="V.sol"')}\r\n\r\n`)
  const reader = readMultipart(async () => (pulled++ === 0 ? head : Buffer.alloc(1000, 'x')), B)
  await reader.next()
  expect(await reader.body(2500)).toEqual({ bytes: Buffer.alloc(2501, 'x'), isTooLarge: true })
  expect(pulled).toBeLessThan(8)
})

test('a part that nobody reads is passed over', async () => {
  const reader = read(part(disposition('name="a"'), 'x'.repeat(5000)) + part(disposition('name="b"'), 'y') + end, 100)
  await reader.next()
  expect(await reader.next()).toEqual({ name: 'b', fileName: undefined })
})

test.each([
  ['no boundary at all', 'some text'],
  ['a part without a head', `--${B}\r\n${'x'.repeat(17_000)}\r\n${end}`],
  ['a part without a head that never ends', `--${B}\r\n${'x'.repeat(200_000)}`],
  ['a head that is too long', part(`X-Long: ${'x'.repeat(9000)}`, '') + end],
  ['an empty head', `--${B}\r\n\r\nbody\r\n${end}`],
  ['a part without a name', part('Content-Type: text/plain', 'x') + end],
  ['text behind a boundary', `--${B}oops\r\n${disposition('name="a"')}\r\n\r\n\r\n${end}`],
  ['an end in the middle of a body', part(disposition('name="file"; filename="V.sol"'), 'x').slice(0, -2)],
  ['an end right after a boundary', `--${B}`],
])('%s is no form', async (_case, text) => {
  await expect(readAll(text, 1000)).rejects.toBeInstanceOf(BrokenForm)
})

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['Multipart/Form-Data; charset=utf-8; boundary="a b:c"', 'a b:c'],
  ['multipart/form-data; boundary=abc; charset=utf-8', 'abc'],
  ['multipart/form-data', undefined],
  ['multipart/form-data; boundary=', undefined],
  [`multipart/form-data; boundary=${'x'.repeat(71)}`, undefined],
  ['multipart/mixed; boundary=abc', undefined],
  [undefined, undefined],
])('the boundary of %s', (contentType, boundary) => {
  expect(boundaryOf(contentType)).toBe(boundary)
})
