import { dependsOn } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, type Op, type OpOf } from '../../ir/index.ts'
import type { SourceFile, Type } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly read: OpOf<'builtin'>
  readonly message: string
  /** What the caller gains, after "calls `f()` and". */
  readonly gain: string
}

/** A word of the arguments, by its place in what came with the call. */
const isRawRead = ({ operator }: Op): boolean => operator === 'calldataload' || operator === 'calldatacopy'

const placeOf = ({ operator, args }: Op): bigint | null => {
  const at = operator === 'calldataload' ? args[0] : args[1]
  return at?.kind === 'const' ? at.constant : null
}

const wordBytes = 32n
const selectorBytes = 4n

const isDynamic = (type: Type | null): boolean =>
  type?.kind === 'bytes' || type?.kind === 'string' || type?.kind === 'array'

/** Takes one word among the arguments, whether it stands there itself or only points to where it does. */
const isOneWord = (type: Type): boolean => type.kind !== 'struct' && !(type.kind === 'array' && type.length !== null)

/** Where the arguments themselves end and what they point to begins; null where that is not recognized by their number. */
const headEnd = ({ fn, params }: Flow): bigint | null =>
  fn?.params.every(({ type }) => isOneWord(type)) ? selectorBytes + wordBytes * BigInt(params.length) : null

/** Read from a fixed place behind the arguments, as if the data of one had to lie there. */
function* behindArguments(flow: Flow, read: OpOf<'builtin'>, place: bigint): Iterable<Candidate> {
  const end = headEnd(flow)
  const dynamic = flow.fn!.params.find(({ type }) => isDynamic(type))
  if (dynamic === undefined || end === null || place < end) return
  const name = dynamic.name === '' ? `its \`${dynamic.type.kind}\` argument` : `\`${dynamic.name}\``
  yield {
    flow,
    read,
    message: `\`${flow.name}()\` reads ${name} at a fixed calldata offset, but the caller chooses where its data starts, so the check can see other bytes than those that are used.`,
    gain: 'passes the check with one value and uses another',
  }
}

/** Bits of a number that its type can not hold. */
const isNarrow = (type: Type | null): boolean =>
  type !== null && ((type.kind === 'int' && type.bits < 256) || type.kind === 'bool' || type.kind === 'address')

/** The whole word of an argument whose type holds less. */
function* wholeWord(flow: Flow, read: OpOf<'builtin'>, place: bigint): Iterable<Candidate> {
  const index = place - selectorBytes
  const end = headEnd(flow)
  if (read.operator !== 'calldataload' || end === null || index < 0n || index % wordBytes !== 0n) return
  if (!isNarrow(flow.fn!.params[Number(index / wordBytes)]?.type ?? null)) return
  if (!flow.stateStores().some(({ args }) => args[0] === read)) return
  yield {
    flow,
    read,
    message: `\`${flow.name}()\` stores the full 32-byte word of an argument, so a caller can store a number larger than the argument’s type allows.`,
    gain: 'stores a number that the argument’s type does not allow',
  }
}

/** The decoder that refuses what does not fit: the rule from 0.8 on, and to be enabled before. */
const decodesStrictly = ({ unit, versions }: SourceFile): boolean => {
  const has = (name: string, value: string): boolean =>
    unit.members.some((node) => node.kind === 'PragmaDirective' && node.name === name && node.value.trim() === value)
  if (has('abicoder', 'v1')) return false
  return versions.isAtLeast(8) || has('abicoder', 'v2') || has('experimental', 'ABIEncoderV2')
}

/** The compiler checks the arguments before the body runs: more than fits reverts. */
const isChecked = ({ flow, read }: Candidate): boolean =>
  placeOf(read)! < headEnd(flow)! && decodesStrictly(flow.fn!.file)

/**
 * `calldatacopy(free, data.offset, size)` with the `size` that was read: the bytes in use are those that the read describes, and nothing
 * else looks at the argument. It takes two answers about one argument to pass a check with the one and use the other.
 */
const isReadTogether = ({ flow, read }: Candidate): boolean => {
  if (placeOf(read)! < headEnd(flow)!) return false
  const dynamic = new Set<Op | null>(flow.params.filter((param) => isDynamic(flow.typeOf(param))))
  const isTaken = ({ args, location }: Op): boolean =>
    args.some((arg) => dynamic.has(arg)) || dynamic.has(location?.base ?? null)
  const isCopyOfSize = ({ operator, args }: Op): boolean =>
    operator === 'calldatacopy' && dependsOn(flow, args[2]!, (part) => part === read)
  return (
    !flow.ir.ops.some(isTaken) && flow.ops('builtin').every((op) => op === read || !isRawRead(op) || isCopyOfSize(op))
  )
}

export default defineDetector<Candidate>({
  id: 'calldata-decoding',
  swc: null,
  title: 'Unsafe calldata decoding',
  aliases: {
    owasp: ['SC04:2025'],
    scwe: ['SCWE-011'],
    words: ['calldata offset', 'dirty bits', 'abi decoding', 'calldataload'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'Assembly reads calldata at a fixed offset and treats it as part of an argument. The caller controls where dynamic data (`bytes`, `string`, arrays) starts, so one value is checked and another is used. A raw word can also hold dirty upper bits.',
  recommendation: 'Use the decoded arguments: `bytes4(data[:4])`, `data.offset`.',
  references: ['https://docs.soliditylang.org/en/latest/abi-spec.html'],
  cwe: ['CWE-130', 'CWE-807'],

  needs: [holding.builtin],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      if (flow.kind !== 'entry') continue
      for (const read of flow.ops('builtin')) {
        const place = isRawRead(read) ? placeOf(read) : null
        if (place === null) continue
        yield* behindArguments(flow, read, place)
        yield* wholeWord(flow, read, place)
      }
    }
  },
  excuses: [
    excuse('checked', 'the compiler has verified that the word holds no other bits', isChecked),
    excuse('read-together', 'the argument is used only in a copy of the length that was read', isReadTogether),
  ],
  finding: ({ flow, read, message, gain }) => ({
    at: read,
    message,
    trace: [witnessStep(flow, read, gain)],
  }),
})
