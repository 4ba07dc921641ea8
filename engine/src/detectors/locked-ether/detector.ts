import type { ContractFlow, Flow, Op } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** The function takes ether and can end well. */
const takesEther = (flow: Flow): boolean => flow.isPayable && flow.ir.exits.length > 0

const leaving = new Set(['selfdestruct', 'suicide', 'call', 'callcode', 'delegatecall', 'create', 'create2'])

/** Ether may get out by this call, or nobody can tell. */
const mayRelease = (call: Op): boolean => {
  const info = call.call!
  if (info.kind === 'send' || info.kind === 'transfer' || info.kind === 'delegate' || info.kind === 'callcode')
    return true
  if (info.kind === 'pointer') return true
  if (info.value !== null) return !(info.value.kind === 'const' && info.value.constant === 0n)
  // Code that is not among the files could do anything.
  return (
    (info.kind === 'internal' || info.kind === 'library') && info.definition === null && call.operator !== 'modifier'
  )
}

const letsOut = (flow: Flow): boolean =>
  flow.hasCall('transfer') ||
  flow.hasCall('send') ||
  flow.has('opaque') ||
  flow.isPartial ||
  flow.ops('call').some(mayRelease) ||
  flow.ops('builtin').some(({ operator }) => leaving.has(operator))

const isEntrance = (flow: Flow): boolean => takesEther(flow) && !flow.isConstructor

/** Where ether comes in that cannot get out again. */
const trapOf = ({ contract, flows }: ContractFlow): Flow | null => {
  if (contract === null || contract.contractKind !== 'contract') return null
  const entrance = flows.find(isEntrance)
  return entrance === undefined || flows.some(letsOut) || contract.hasUnresolvedBase ? null : entrance
}

export default defineDetector({
  id: 'locked-ether',
  swc: null,
  title: 'Ether can come in and never out',
  severity: 'medium',
  confidence: 'high',
  description:
    'The contract has a payable function, and no function that sends ether, calls with value or hands over to other code. Whatever it receives is lost.',
  recommendation: 'Remove `payable`, or add a withdrawal that the right person can call.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#contracts-that-lock-ether'],
  cwe: ['CWE-772'],

  run({ contracts }) {
    const hits: Hit[] = []
    for (const whole of contracts) {
      const entrance = trapOf(whole)
      const at = whole.contract?.node.name
      if (!entrance?.fn || !at) continue
      hits.push({
        at,
        message: `\`${whole.contract?.name}\` takes ether in \`${entrance.name}\` and has no way to send it on.`,
        trace: [{ at: entrance.fn.node.name ?? entrance.fn.node, message: 'Ether comes in here.' }],
      })
    }
    return hits
  },
})
