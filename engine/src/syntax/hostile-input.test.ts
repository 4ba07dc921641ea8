import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadCounted } from '../../../tools/count-steps.ts'
import { collect, parse } from './index.ts'
import { mutate, randomFrom } from './testing/mutate.ts'
import { findTreeFault } from './testing/tree-faults.ts'

const inFunction = (body: string): string => `contract C { function f() public { ${body} } uint tail; }`
const DEEP = 10_000

const nested: Readonly<Record<string, string>> = {
  parentheses: inFunction(`x = ${'('.repeat(DEEP)}1${')'.repeat(DEEP)};`),
  indexes: inFunction(`x${'[0'.repeat(DEEP)}${']'.repeat(DEEP)};`),
  'array literals': inFunction(`x = ${'['.repeat(DEEP)}${']'.repeat(DEEP)};`),
  negations: inFunction(`x = ${'!'.repeat(DEEP)}y;`),
  powers: inFunction(`x = ${'a ** '.repeat(DEEP)}b;`),
  conditionals: inFunction(`x = ${'a ? b : '.repeat(DEEP)}c;`),
  assignments: inFunction(`${'a = '.repeat(DEEP)}c;`),
  calls: inFunction(`${'f('.repeat(DEEP)}${')'.repeat(DEEP)};`),
  options: inFunction(`${'f{a:'.repeat(DEEP)}1${'}'.repeat(DEEP)};`),
  'every level of precedence': inFunction(
    `x = ${'a || b && c == d < e | f ^ g & h << i + j * k ** ('.repeat(DEEP)}b${')'.repeat(DEEP)};`,
  ),
  blocks: inFunction(`${'{'.repeat(DEEP)}${'}'.repeat(DEEP)}`),
  ifs: inFunction(`${'if (a) '.repeat(DEEP)}x;`),
  'else ifs': inFunction(`if (a) x; ${'else if (a) x; '.repeat(DEEP)}`),
  loops: inFunction(`${'while (a) '.repeat(DEEP)}x;`),
  mappings: `contract C { ${'mapping(a => '.repeat(DEEP)}b${')'.repeat(DEEP)} x; uint tail; }`,
  'function types': `contract C { function f(${'function('.repeat(DEEP)}${')'.repeat(DEEP)}) {} uint tail; }`,
  'tuple declarations': inFunction(`${'('.repeat(DEEP)}uint a${')'.repeat(DEEP)} = f();`),
  'assembly blocks': inFunction(`assembly { ${'{'.repeat(DEEP)}${'}'.repeat(DEEP)} }`),
  'assembly calls': inFunction(`assembly { x := ${'add('.repeat(DEEP)}${')'.repeat(DEEP)} }`),
  'assembly ifs': inFunction(`assembly { ${'if a {'.repeat(DEEP)}${'}'.repeat(DEEP)} }`),
}

test.each(Object.entries(nested))(
  '%s nested ten thousand deep are an error node, and what follows is read',
  (_, text) => {
    const result = parse(text, 3)
    expect(result.errors.map(({ message }) => message)).toContain('This is nested too deeply to be read.')
    expect(findTreeFault(text, 3, result)).toBeNull()
    expect(collect(result.unit, 'StateVariable').map(({ name }) => name.name)).toContain('tail')
  },
)

test.each([
  ['operators', inFunction(`x = ${'a + '.repeat(50_000)}b;`), 'Binary'],
  ['members', inFunction(`x${'.a'.repeat(50_000)};`), 'Member'],
  ['calls', inFunction(`x${'()'.repeat(50_000)};`), 'Call'],
] as const)('a chain of fifty thousand %s is read whole', (_, text, kind) => {
  const { unit, errors } = parse(text)
  expect(errors).toEqual([])
  expect(collect(unit, kind).length).toBe(50_000)
})

const repeated: Readonly<Record<string, (times: number) => string>> = {
  'unterminated comment': (n) => `contract C { /*${'x'.repeat(n * 10)}`,
  'unterminated string': (n) => `contract C { string s = "${'x'.repeat(n * 10)}`,
  'strings broken by lines': (n) => '"\n'.repeat(n),
  backslashes: (n) => `"${'\\'.repeat(n)}`,
  'tiny functions': (n) => `contract C { ${'function f() public {} '.repeat(n / 4)} }`,
  'distinct names': (n) => `contract C { ${Array.from({ length: n / 2 }, (_, i) => `uint n${i};`).join('')} }`,
  'names of one hash': (n) => Array.from({ length: n / 8 }, (_, i) => collidingName(i)).join(' '),
  'open brackets': (n) => '(['.repeat(n / 2),
  'closing braces': (n) => '}'.repeat(n),
  'open braces': (n) => '{'.repeat(n),
  'unnamed functions': (n) => `contract C { ${'function () '.repeat(n / 4)}`,
  'open function types': (n) => `contract C { ${'function ( ; '.repeat(n / 4)}`,
  constructors: (n) => inFunction('constructor() '.repeat(n / 4)),
  'open constructors': (n) => inFunction('constructor(a '.repeat(n / 4)),
  modifiers: (n) => `contract C { function f() ${'m '.repeat(n)}{} }`,
  statements: (n) => inFunction('x;'.repeat(n)),
  'stray operators': (n) => inFunction('% '.repeat(n)),
  'stray else': (n) => inFunction('else '.repeat(n / 2)),
  'contract heads': (n) => 'contract C is '.repeat(n / 4),
  'labels in assembly': (n) => inFunction(`assembly { ${'a: '.repeat(n)}`),
  'binary noise': (n) => Array.from({ length: n }, (_, i) => String.fromCharCode((i * 7919) % 65536)).join(''),
  zeros: (n) => '\0'.repeat(n),
}

/** "Aa" and "BB" have the same polynomial hash, and so has every string of such pairs of one length. */
const collidingName = (index: number): string => {
  let name = ''
  for (let bit = 0; bit < 14; bit++) name += (index >> bit) & 1 ? 'Aa' : 'BB'
  return name
}

const counted = loadCounted<typeof import('./index.ts')>(new URL('./index.ts', import.meta.url))
afterAll(counted.stop)

test.each(Object.entries(repeated))('%s: no exception, a sound tree, work in step with the length', (_, make) => {
  const stepsFor = (text: string): number => {
    const result = parse(text, 3)
    expect(findTreeFault(text, 3, result)).toBeNull()
    expect(result.errors.length).toBeLessThanOrEqual(100)
    return counted.countSteps((syntax) => syntax.parse(text, 3))
  }
  // Ten times the text is ten times the steps, give or take the calls that are not counted; what is quadratic takes a hundred times as many.
  expect(stepsFor(make(40_000))).toBeLessThan(stepsFor(make(4_000)) * 15 + 1_000)
})

test('five megabytes of unterminated comment are one error', () => {
  const text = `contract C { } /*${'*x\n'.repeat(1_700_000)}`
  const { unit, errors } = parse(text)
  expect(counted.countSteps((syntax) => syntax.parse(text))).toBeLessThan(text.length * 3)
  expect(unit.members.length).toBe(1)
  expect(errors.length).toBe(1)
})

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sol'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

test('damaged samples and fixtures never break the parser or the shape of its tree', () => {
  const files = [
    ...filesBelow(join(import.meta.dirname, 'samples')),
    ...filesBelow(join(import.meta.dirname, '../detectors')),
  ].slice(0, 150)
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  const random = randomFrom(20_260_101)
  for (let round = 0; round < 4000; round++) {
    const text = mutate(texts[round % texts.length]!, random)
    const result = parse(text, round)
    const fault = findTreeFault(text, round, result)
    if (fault !== null) expect.fail(`${fault}\nin round ${round}:\n${text}`)
  }
})

test('every prefix of a sample is read', () => {
  const text = readFileSync(join(import.meta.dirname, 'samples/current-08.sol'), 'utf8')
  for (let length = 0; length < text.length; length += 3) {
    const prefix = text.slice(0, length)
    expect(findTreeFault(prefix, 0, parse(prefix))).toBeNull()
  }
})
