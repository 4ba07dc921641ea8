/** What is read late is the same as what is read at once, or says that it is not to be trusted. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collect, LateBlock, nodesOf, type ParseResult, parse, parseHeads, type SourceUnit } from './index.ts'
import { mutate, randomFrom } from './mutate.ts'

const bodiesIn = ({ members }: SourceUnit): LateBlock[] => {
  const bodies: LateBlock[] = []
  for (const contract of members) {
    if (contract.kind !== 'ContractDefinition') continue
    for (const member of contract.members)
      if (member.kind === 'FunctionDefinition' && member.body instanceof LateBlock) bodies.push(member.body)
  }
  return bodies
}

const heads = (text: string, base = 0) => {
  const read = parseHeads(text, base)
  if (read === null) throw new Error(`faults in ${text}`)
  return read
}

/** The tree as plain values, whichever way its blocks were made. */
const plain = ({ unit, errors, comments }: ParseResult): unknown =>
  JSON.parse(
    JSON.stringify({ members: unit.members, errors, comments }, (_, value: unknown) =>
      value instanceof LateBlock
        ? {
            kind: value.kind,
            start: value.start,
            end: value.end,
            unchecked: value.unchecked,
            statements: value.statements,
          }
        : value,
    ),
  )

const placesOf = (unit: SourceUnit): number[][] =>
  (['Call', 'Member', 'Assignment', 'VariableStatement', 'ExpressionStatement', 'NewExpression'] as const).map((kind) =>
    nodesOf(unit, kind).flatMap(({ start, end }) => [start, end]),
  )

const texts = [join(import.meta.dirname, 'samples'), join(import.meta.dirname, '../detectors')].flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sol'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
)

test('samples and fixtures give the same tree and the same notes, again after they were let go', () => {
  let late = 0
  for (const text of texts) {
    const whole = parse(text, 5)
    if (whole.errors.length > 0) continue
    const read = heads(text, 5)
    const bodies = bodiesIn(read.unit)
    late += bodies.length
    for (const body of bodies) body.note()
    read.bodies.putInOrder()
    expect(placesOf(read.unit)).toEqual(placesOf(whole.unit))
    expect(plain(read)).toEqual(plain(whole))
    read.bodies.letGo()
    expect(plain(read)).toEqual(plain(whole))
    expect(read.bodies.isBroken).toBe(false)
  }
  expect(late).toBeGreaterThan(1000)
})

test('damaged texts are refused, told to be broken, or read as they are at once', () => {
  const random = randomFrom(20_270_303)
  const seen = { refused: 0, broken: 0, equal: 0 }
  for (let round = 0; round < 3000; round++) {
    const text = mutate(texts[round % texts.length]!, random)
    const read = parseHeads(text, round)
    if (read === null) {
      seen.refused++
      expect(parse(text, round).errors.length).toBeGreaterThan(0)
      continue
    }
    for (const body of bodiesIn(read.unit)) body.note()
    if (read.bodies.isBroken) seen.broken++
    else {
      seen.equal++
      expect(plain(read)).toEqual(plain(parse(text, round)))
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50)
})

const two = 'contract A { uint x; function f() public { x = 1; } function g() public { x = h(2); } }'

test('nothing is noted of a body that is only looked into', () => {
  const { unit, bodies } = heads(two)
  const [f, g] = bodiesIn(unit)
  expect(nodesOf(unit, 'Assignment')).toEqual([])
  expect(f!.statements).toHaveLength(1)
  expect(nodesOf(unit, 'Assignment')).toEqual([])
  g!.note()
  expect(nodesOf(unit, 'Assignment').map(({ start }) => two.slice(start, start + 8))).toEqual(['x = h(2)'])
  expect(nodesOf(unit, 'Call')).toHaveLength(1)
  bodies.letGo()
  expect(nodesOf(unit, 'Call')).toEqual([])
})

test('statements are held until they are let go', () => {
  const { unit, bodies } = heads(two)
  const [f] = bodiesIn(unit)
  const { statements } = f!
  expect(f!.statements).toBe(statements)
  bodies.letGo()
  expect(f!.statements).not.toBe(statements)
  expect(f!.statements).toEqual(statements)
})

test('reading another text in between changes nothing', () => {
  const read = heads(two)
  parse('contract Other { function other() public { other(); other(); } }')
  expect(plain(read)).toEqual(plain(parse(two)))
})

test.each(['assembly { sstore(0, 1) }', 'new B();', 'function (uint) internal returns (uint) p;'])(
  'a body with `%s` is read at once, because others ask for it in the whole file',
  (statement) => {
    const { unit } = heads(`contract B {} contract A { function f() public { ${statement} } }`)
    expect(bodiesIn(unit)).toEqual([])
    expect(collect(unit, 'Block')).not.toEqual([])
  },
)

test('faults in heads are seen at once, faults in bodies when the body is read', () => {
  expect(parseHeads('contract A { function f( public { } }')).toBeNull()
  expect(parseHeads('contract A { function f() public { if (x) { } }')).toBeNull()
  expect(parseHeads('contract A { string s = "open; }')).toBeNull()
  const { unit, bodies } = heads('contract A { uint x; function f() public { x = ; } }')
  expect(bodies.isBroken).toBe(false)
  expect(bodiesIn(unit)[0]!.statements).not.toEqual([])
  expect(bodies.isBroken).toBe(true)
})
