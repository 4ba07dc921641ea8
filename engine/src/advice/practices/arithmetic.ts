import { canOverflow } from '../../facts/index.ts'
import { isAssembly } from '../../idioms/index.ts'
import { type Flow, holding, isOverflowing, type Op } from '../../ir/index.ts'
import { nodesOf } from '../../syntax/index.ts'
import { definePractice, namesOf, type Practice } from '../practice.ts'
import { isWritten, writerOf } from '../subjects.ts'

const category = 'Arithmetic'

/** Where the compiler would check, it was disabled, and nothing shows that the result fits. */
const isUnproven = (flow: Flow, op: Op): boolean =>
  !op.flag &&
  isOverflowing(op.operator) &&
  isWritten(op) &&
  !isAssembly(op) &&
  flow.model.fileAt(op.start)?.versions.checkedArithmetic === 'always' &&
  canOverflow(flow, op)

const explainedUnchecked = definePractice({
  id: 'explained-unchecked',
  category,
  needs: [holding.arithmetic],
  *subjects({ functions }) {
    for (const flow of functions)
      for (const op of flow.ops('bin')) {
        const subject = isUnproven(flow, op) ? writerOf(flow, op) : null
        if (subject !== null) yield subject
      }
  },
  isCheck: true,
  advice: (_, all) => `State in a comment why each \`unchecked\` block cannot overflow: ${namesOf(all)}.`,
})

const shortAssembly = definePractice({
  id: 'short-assembly',
  category,
  *subjectsInFile({ unit }, model) {
    for (const node of nodesOf(unit, 'AssemblyStatement'))
      yield { at: node, name: model.functionAt(node.start)?.name ?? '' }
  },
  isCheck: true,
  advice: () => 'Keep each assembly block short, explain it, and test it against a Solidity version.',
})

export const arithmetic: readonly Practice[] = [explainedUnchecked, shortAssembly]
