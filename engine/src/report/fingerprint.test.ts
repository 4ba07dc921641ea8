import { expect, test } from 'vitest'
import { type Detector, defineDetector, type Hit } from '../detectors/define-detector.ts'
import { scan } from '../index.ts'
import { Behaviour } from '../ir/index.ts'
import { buildModel } from '../model/index.ts'
import { parse } from '../syntax/index.ts'
import { buildReports } from './build-reports.ts'
import { hash, join, toHex } from './hash.ts'
import { normalise } from './normalise.ts'

const find = (pattern: RegExp, text: string): Detector =>
  defineDetector<Hit>({
    id: 'probe',
    swc: 'SWC-107',
    title: '',
    severity: 'high',
    confidence: 'high',
    description: '',
    recommendation: '',
    references: [],
    cwe: [],
    candidates: () =>
      Array.from(text.matchAll(pattern), ({ 0: words, index }) => ({
        at: { start: index, end: index + words.length },
        message: '',
      })),
    finding: (hit) => hit,
  })

const behaviourOf = (text: string): Behaviour => new Behaviour(buildModel([{ path: 'a.sol', text }]))

const fingerprints = (text: string, pattern = /a\.call[^;]*;/g): string[] =>
  (
    buildReports({
      files: [{ path: 'a.sol', text, base: 0, ...parse(text, 0) }],
      behaviour: behaviourOf(text),
      detectors: [find(pattern, text)],
    })[0]?.findings ?? []
  ).map(({ fingerprint }) => fingerprint)

const contract = (body: string): string => `contract C { function f(uint x) public { ${body} } }`

test('a fingerprint survives edits elsewhere, blanks and comments', () => {
  const [before] = fingerprints(contract('a.call("");'))
  const after = fingerprints(
    `// new\npragma solidity 0.8.1;\n\ncontract C {\n uint y; function g() public {}\n function f(uint renamed) public {\n y = 1; a.call ( /* why */ "" ) ;\n}}`,
  )
  expect(after).toEqual([before])
})

test('it tells contracts, overloads and rules apart', () => {
  const all = [
    ...fingerprints(contract('a.call("");')),
    ...fingerprints('contract D { function f(uint x) public { a.call(""); } }'),
    ...fingerprints('contract C { function f(int x) public { a.call(""); } }'),
    ...fingerprints('contract C { function g(uint x) public { a.call(""); } }'),
    ...fingerprints(contract('a.call("x");')),
  ]
  expect(new Set(all).size).toBe(5)
})

test('equal places in one function get an ordinal each', () => {
  const both = fingerprints(contract('a.call(""); a.call("");'))
  expect(new Set(both).size).toBe(2)
  expect(both[0]).toBe(fingerprints(contract('a.call("");'))[0])
})

test('a loop is known by its head, not by its body', () => {
  const loop = /for[^}]*\}/g
  expect(fingerprints(contract('for (uint i; i < n; i++) { x += 1; }'), loop)).toEqual(
    fingerprints(contract('for (uint i; i < n; i++) { x += 2; y; }'), loop),
  )
})

test('blanks inside strings count', () => {
  expect(normalise('f ( "a  b" )')).toBe('f("a  b")')
  expect(normalise('return  x + "it\'s" // y')).toBe('return x+"it\'s"')
})

test('the hash spreads, and joining respects the order', () => {
  const hashes = new Set(Array.from({ length: 20_000 }, (_, i) => toHex(hash(`finding ${i}`))))
  expect(hashes.size).toBe(20_000)
  for (const each of [hash(''), hash('a')]) expect(toHex(each)).toMatch(/^[0-9a-f]{32}$/)
  const pairs = new Set(
    Array.from({ length: 10_000 }, (_, i) => toHex(join(hash(`${i % 100}`), hash(`${Math.floor(i / 100)}`)))),
  )
  expect(pairs.size).toBe(10_000)
})

test('the same text gives the same report twice', () => {
  const text = contract('a.call("");')
  expect(scan(text)).toEqual(scan(text))
})
