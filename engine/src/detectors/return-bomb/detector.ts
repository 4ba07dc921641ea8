import { chosenByCaller, isProtected, isSender, Source, taintOf } from '../../facts/index.ts'
import { type CallOp, describeCall, type Flow, holding, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly call: CallOp
}

/** `gas: type(uint256).max` passes on everything there is. */
const limitsGas = ({ call: { gas } }: CallOp): boolean => {
  const limit = gas === null ? null : stripCasts(gas).constant
  return limit === null || limit < 2n ** 64n
}

export default defineDetector<Candidate>({
  id: 'return-bomb',
  swc: null,
  title: 'Return bomb: unbounded return data',
  aliases: {
    slither: ['return-bomb'],
    aderyn: ['return-bomb'],
    owasp: ['SC10:2025'],
    words: ['return data bomb', 'gas exhaustion', 'unbounded return data'],
  },
  severity: 'low',
  confidence: 'medium',
  description:
    'A low-level call copies all return data to memory at the caller’s cost. A gas limit on the callee does not bound that: a malicious receiver returns huge data and makes the whole transaction run out of gas.',
  recommendation:
    'Call in assembly with an output size of zero, or use a library that bounds the copied return data (ExcessivelySafeCall).',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#return-bomb'],
  cwe: ['CWE-400'],

  needs: [holding.lowLevelCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const call of flow.externalCalls()) {
        const { kind, gasKind, target } = call.call
        if (kind === 'lowlevel' && gasKind === 'limited' && target !== null && limitsGas(call)) yield { flow, call }
      }
  },

  excuses: [
    excuse(
      'answers-only-success',
      'only compilers before 0.5.0 are admitted, which copy no return data',
      ({ flow, call }) => flow.writtenIn(call)?.file.versions.isBelow(5) ?? false,
    ),
    excuse('in-assembly', 'the call is made in assembly, which bounds the copied size', ({ call: { node } }) =>
      Boolean(node && 'kind' in node && node.kind === 'YulCall'),
    ),
    excuse(
      'known-callee',
      'an attacker does not choose the callee',
      ({ flow, call }) =>
        (taintOf(flow, call.call.target!) & (chosenByCaller | Source.outsiderState)) === 0 ||
        (isSender(call.call.target!) && isProtected(flow, call)),
    ),
  ],

  finding: ({ flow, call }) => {
    const isForRole = isProtected(flow, call)
    return {
      at: call,
      factors: { counterEvidence: isForRole ? ['only privileged accounts can call it'] : [] },
      message: `\`${flow.name}()\` limits the gas of \`${describeCall(flow.model, call)}\` but copies all data it returns, so a malicious callee can return so much that every transaction that calls \`${flow.name}()\` runs out of gas.`,
      trace: flow.trace(call),
    }
  },
})
