import {
  dependsOn,
  guardsAt,
  isOpenPath,
  isSender,
  parametersIn,
  principalAt,
  Source,
  taintOf,
} from '../../facts/index.ts'
import { firstThatFits, isSelf, lossAt, raisedBy, tokenCalls, witnessStep } from '../../idioms/index.ts'
import {
  type CallOp,
  type ContractFlow,
  describeCall,
  describeValue,
  type Flow,
  holding,
  type LoadOp,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { isOfCallersRecord } from './own-records.ts'
import { payersPassedTo } from './passed-payers.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
  readonly from: Op
  /** Where another contract, on instruction, takes them; null where this one does. */
  readonly transfer: Op | null
  /** The tokens come to this contract, so the caller gains only what the contract then gives. */
  readonly isKept: boolean
}

/** Named by the caller, by itself or as a key of what is looked up. */
const isChosen = (flow: Flow, from: Op): boolean =>
  from.kind === 'param' || (from.kind === 'load' && (taintOf(flow, from) & Source.param) !== 0)

const isOthers = (flow: Flow, from: Op): boolean => isChosen(flow, from) && !isSender(from) && !isSelf(from)

/** A record that is only ever raised gives the owner nothing back, and keeps nobody out. */
const isCheckedAnywhere = ({ contractFlow }: Flow, { location: { variable } }: LoadOp | StoreOp): boolean =>
  variable === null || contractFlow.answer(createCheckedVariables)(variable)

/** Someone reads the variable for more than to raise it. */
const createCheckedVariables = (contractFlow: ContractFlow) => {
  const known = new Map<VariableModel, boolean>()
  return (variable: VariableModel): boolean => {
    let isRead = known.get(variable)
    if (isRead === undefined) {
      isRead = contractFlow.readersOf(variable).some(({ flow, op }) => !isOnlyRaised(flow, op))
      known.set(variable, isRead)
    }
    return isRead
  }
}

const isOnlyRaised = (flow: Flow, load: LoadOp): boolean =>
  flow.stateStores().some((store) => store.location === load.location && raisedBy(store) !== null)

/** A record that belongs to the owner, or to the owner and the caller together. */
const isRecordOf = ({ location }: LoadOp | StoreOp, from: Op): boolean => {
  let sender = false
  let owner = false
  for (let at: Location | null = location; at !== null; at = at.parent) {
    if (at.index === null) continue
    sender ||= isSender(at.index)
    owner ||= stripCasts(at.index) === from
  }
  return owner && (sender || location.depth === 1)
}

/** That a low-level call went through proves nothing: what a contract does not know it may swallow. */
const isLowLevelOutcome = (condition: Op): boolean => {
  const op = stripCasts(condition)
  return (op.kind === 'extract' ? op.args[0] : op).call?.kind === 'lowlevel'
}

/** Users approve a contract that pulls tokens from its caller elsewhere. */
const approvedTokens = ({ contractFlow }: Flow): string | null => {
  const puller = contractFlow.entryPoints.find((flow) =>
    tokenCalls(flow).some(({ from }) => from !== null && isSender(from)),
  )
  return puller === undefined ? null : `tokens that users approved for \`${puller.name}()\``
}

const payerOf = (flow: Flow, from: Op): string => {
  const name = describeValue(flow.model, from)
  return name === '…' ? 'an account' : `\`${name}\``
}

const calleeOf = (flow: Flow, op: CallOp): string => `\`${describeCall(flow.model, op)}\``

/** The contract that is approved to move the tokens. */
const holderOf = (flow: Flow, { start }: Op): string => {
  const contract = flow.model.contractAt(start)
  return contract === undefined || contract.contractKind === 'library' ? 'the callee' : `\`${contract.name}\``
}

/** A check that reads who calls or what else they pass: a pause or a limit on the amount says nothing about the owner. */
const mayConcernOwner = (flow: Flow, op: Op): boolean => {
  const amount = tokenCalls(flow).find((each) => each.op === op)?.amount ?? null
  const amounts = amount === null ? new Set<Op>() : parametersIn(flow, amount)
  const isInput = (part: Op): boolean => isSender(part) || (part.kind === 'param' && !amounts.has(part))
  return guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isInput, { keys: true }))
}

/** The last check before the transfer, as it is written. */
const checkBefore = (flow: Flow, op: Op): string => {
  const last = guardsAt(flow, op).at(-1)
  const written = last === undefined ? '…' : describeValue(flow.model, last.condition)
  return written === '…' ? 'a check before the transfer' : `the check of \`${written}\``
}

export default defineDetector<Candidate>({
  id: 'arbitrary-transfer-from',
  swc: null,
  title: 'Arbitrary from address in transferFrom',
  aliases: {
    slither: ['arbitrary-send-erc20', 'arbitrary-send-erc20-permit'],
    aderyn: ['arbitrary-transfer-from'],
    owasp: ['SC01:2025', 'SC04:2025'],
    words: ['arbitrary from', 'approval theft', 'steal approved tokens'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'The caller chooses the account that `transferFrom` takes tokens from. An attacker steals the tokens of every user who approved this contract.',
  recommendation:
    'Pass `msg.sender` as `from`, or verify an allowance or a signature that the owner gave to this caller.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#arbitrary-from-in-transferfrom'],
  cwe: ['CWE-862'],
  yieldsTo: ['unprotected-ether-withdrawal'],
  isPerFunction: true,

  needs: [holding.foreignCall],
  *candidates(context) {
    for (const flow of context.entryPoints) {
      for (const { op, from: owner, to } of tokenCalls(flow)) {
        if (owner === null || (op.call.target !== null && isSelf(op.call.target))) continue
        const from = stripCasts(owner)
        if (isOthers(flow, from)) yield { flow, op, from, transfer: null, isKept: isSelf(to) }
      }
      for (const op of flow.externalCalls())
        for (const { from, transfer } of payersPassedTo(context, flow, op))
          if (isOthers(flow, from)) yield { flow, op, from, transfer, isKept: false }
    }
  },

  excuses: [
    excuse('known-callers', 'a role, a consent or ownership of a record is required', ({ flow, op }) => {
      const principal = principalAt(flow, op)
      return principal !== 'anyone' && principal !== 'later'
    }),
    excuse(
      'condition-about-owner',
      'a check concerns the token owner: an approval, a signature or an equality',
      ({ flow, op, from }) =>
        guardsAt(flow, op).some(
          ({ condition }) =>
            !isLowLevelOutcome(condition) &&
            dependsOn(flow, condition, (part) => stripCasts(part) === from, { keys: true }),
        ),
    ),
    excuse('own-record', 'the account is a field of a record that is only loaded for its owner', ({ flow, from }) =>
      isOfCallersRecord(flow, from),
    ),
    excuse('record-of-owner', 'a record between owner and caller is read or written', ({ flow, from }) =>
      [...flow.stateStores(), ...flow.stateLoads()].some(
        (place) => isRecordOf(place, from) && isCheckedAnywhere(flow, place),
      ),
    ),
  ],

  finding: ({ flow, op, from, transfer, isKept }) => ({
    // A helper that does what it is given is not to blame.
    at: flow.inEntry(op),
    message:
      transfer === null
        ? `\`${flow.name}()\` transfers tokens from ${payerOf(flow, from)}, which the caller chooses, so an attacker can ${isKept ? 'pull the tokens of everyone who approved this contract into it' : 'steal every allowance given to this contract'}.`
        : firstThatFits(
            `\`${flow.name}()\` passes ${payerOf(flow, from)}, which the caller chooses, to ${calleeOf(flow, op)}, which pulls tokens from that account: an attacker can steal tokens that users approved to ${holderOf(flow, transfer)}.`,
            `\`${flow.name}()\` passes an account that the caller chooses to \`${op.call.name}()\`, which pulls tokens from it: an attacker can steal tokens that users approved to ${holderOf(flow, transfer)}.`,
          ),
    trace:
      transfer === null
        ? [
            witnessStep(flow, op, `${isKept ? 'pulls in' : 'steals'} tokens of users who approved this contract`),
            ...flow.trace(op),
          ]
        : [
            witnessStep(flow, op, `steals tokens that users approved to ${holderOf(flow, transfer)}`),
            ...flow.trace(op),
            { at: op, message: `${calleeOf(flow, op)} is called for ${payerOf(flow, from)} here.` },
            { at: transfer, message: `\`${op.call.name}()\` takes the tokens here.` },
          ],
    factors: {
      hasWitness: guardsAt(flow, op).length === 0,
      counterEvidence:
        isOpenPath(flow, op) || !mayConcernOwner(flow, op)
          ? []
          : [`${checkBefore(flow, op)} may mean that the owner has agreed`],
      loss: lossAt(flow, op, approvedTokens(flow)),
    },
  }),
})
