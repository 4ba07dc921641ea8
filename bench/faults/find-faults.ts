/**
 * Every fault that the operators can make in a program, one at a time, by edits of ranges of its tree. What to remove is known
 * by what the code does (a test of the sender, a flag that is set and read); a name decides only where nothing else can, as for
 * the least amount that a caller accepts.
 */
import type { FunctionModel, Model, SourceFile } from '../../engine/src/model/index.ts'
import type { Expression, ModifierInvocation, Span, Statement } from '../../engine/src/syntax/index.ts'
import type { Edit, Fault, Operator } from './fault.ts'
import {
  type Check,
  calleeName,
  checkOf,
  isOrdering,
  Questions,
  readsClock,
  some,
  statementLists,
  statementsOf,
  stripParentheses,
} from './tree-questions.ts'

interface Site {
  readonly operator: Operator
  readonly edits: readonly Edit[]
}

interface Scene {
  readonly fn: FunctionModel
  readonly body: NonNullable<FunctionModel['node']['body']>
  readonly questions: Questions
  readonly model: Model
  readonly callers: (fn: FunctionModel) => readonly FunctionModel[]
}

type Finder = (scene: Scene) => Iterable<Site>

const remove = ({ start, end }: Span): Edit => ({ start, end, text: '' })

const replace = ({ start, end }: Span, text: string): Edit => ({ start, end, text })

const sourceOf = ({ fn }: Scene, { start, end }: Span): string =>
  fn.file.text.slice(start - fn.file.base, end - fn.file.base)

const isEntry = ({ visibility }: FunctionModel): boolean => visibility === 'public' || visibility === 'external'

const changesState = ({ mutability }: FunctionModel): boolean => mutability !== 'view' && mutability !== 'pure'

const isInitializer = (use: ModifierInvocation): boolean => /initializer$/i.test(use.name.names.at(-1)?.name ?? '')

const hasEffect = ({ fn, questions }: Scene): boolean =>
  questions.reaches(fn, (node) => questions.writesIn(node).length > 0 || questions.isForeignCall(node), 3)

/** A modifier that refuses while it is open and closes again behind the body. */
const isLock = (questions: Questions, use: FunctionModel['modifiers'][number]): boolean => {
  const block = use.modifier?.node.body
  if (!block || isInitializer(use.node)) return false
  const at = block.statements.findIndex(({ kind }) => kind === 'PlaceholderStatement')
  const after = at < 0 ? [] : block.statements.slice(at + 1)
  const writes = (statement: Statement): boolean =>
    questions.writesIn(statement).length > 0 ||
    questions
      .callsIn(statement)
      .some((call) =>
        questions
          .innerTargets(call)
          .some((fn) => questions.reaches(fn, (node) => questions.writesIn(node).length > 0, 1)),
      )
  const before = block.statements.slice(0, Math.max(at, 0))
  return after.some(writes) && before.some(writes)
}

const isLocked = ({ fn, questions, callers }: Scene): boolean => {
  const entries = isEntry(fn) ? [fn] : callers(fn).filter(isEntry)
  return entries.length > 0 && entries.every(({ modifiers }) => modifiers.some((use) => isLock(questions, use)))
}

/** Only some accounts get there, at any of its entry points: what goes wrong behind that harms by their hand alone. */
const isPrivileged = ({ fn, questions, callers }: Scene): boolean => {
  const entries = isEntry(fn) ? [fn] : callers(fn).filter(isEntry)
  const isGuarded = (entry: FunctionModel): boolean =>
    entry.modifiers.some(({ modifier }) => modifier && questions.checksSender(modifier)) ||
    (entry.node.body !== null && statementsOf(entry.node.body).some((statement) => testsSender(questions, statement)))
  return entries.length > 0 && entries.every(isGuarded)
}

const testsSender = (questions: Questions, statement: Statement): boolean => {
  const check = checkOf(statement)
  return check ? questions.isSenderTest(check, new Set(), []) : isSenderCheckCall(questions, statement)
}

function* accessModifiers(scene: Scene): Iterable<Site> {
  const { fn, questions } = scene
  if (!isEntry(fn) || !changesState(fn) || !hasEffect(scene)) return
  for (const use of fn.modifiers)
    if (use.modifier && !isInitializer(use.node) && !isLock(questions, use) && questions.checksSender(use.modifier))
      yield { operator: 'access modifier removed', edits: [remove(use.node)] }
}

function* senderChecks(scene: Scene): Iterable<Site> {
  const { fn, body, questions } = scene
  if (!changesState(fn) || !hasEffect(scene)) return
  const writes = questions.writesIn(body)
  for (const statement of statementsOf(body)) {
    const check = checkOf(statement)
    if (check ? questions.isSenderTest(check, new Set(), writes) : isSenderCheckCall(questions, statement))
      yield { operator: 'sender check removed', edits: [remove(statement)] }
  }
}

/** `_checkOwner();`: the call reverts for some senders and does nothing else. */
const isSenderCheckCall = (questions: Questions, statement: Statement): boolean => {
  if (statement.kind !== 'ExpressionStatement' || statement.expression.kind !== 'Call') return false
  const acts = (fn: FunctionModel): boolean =>
    questions.reaches(
      fn,
      (node) =>
        questions.writesIn(node).length > 0 || questions.isForeignCall(node) || node.kind === 'AssemblyStatement',
      2,
    )
  return questions.isCheckedBy(statement.expression) && !questions.innerTargets(statement.expression).some(acts)
}

function* initializers(scene: Scene): Iterable<Site> {
  const { fn, body, questions } = scene
  if (!isEntry(fn) || isPrivileged(scene)) return
  // Before `onlyInitializing` the inner functions were initializers too: the second of them refuses.
  const isHeldInside = questions
    .callsIn(body)
    .some((call) =>
      questions.innerTargets(call).some(({ modifiers }) => modifiers.some(({ node }) => isInitializer(node))),
    )
  for (const use of fn.modifiers)
    if (isInitializer(use.node) && !isHeldInside) yield { operator: 'initializer removed', edits: [remove(use.node)] }
  if (!/^_?init/i.test(fn.name)) return
  const written = new Set(questions.writesIn(body).map((write) => rootOf(questions, write)))
  for (const statement of statementsOf(body)) {
    const check = checkOf(statement)
    if (check && some(check.condition, (node) => written.has(questions.variableOf(node))))
      yield { operator: 'initializer removed', edits: [remove(statement)] }
  }
}

const rootOf = (questions: Questions, write: ReturnType<Questions['writesIn']>[number]) =>
  questions.storageRoot(write.kind === 'Assignment' ? write.target : write.operand)

function* locks(scene: Scene): Iterable<Site> {
  const { fn, questions } = scene
  if (!isEntry(fn) || !changesState(fn)) return
  const isExposed =
    questions.reaches(fn, (node) => questions.isForeignCall(node), 3) &&
    questions.reaches(fn, (node) => questions.writesIn(node).length > 0, 3)
  if (!isExposed) return
  for (const use of fn.modifiers)
    if (isLock(questions, use)) yield { operator: 'lock removed', edits: [remove(use.node)] }
}

const mostStatementsBetween = 6

function* lateWrites(scene: Scene): Iterable<Site> {
  const { fn, body, questions } = scene
  if (!changesState(fn) || isLocked(scene) || isPrivileged(scene)) return
  const callsOut = (statement: Statement): boolean =>
    (statement.kind === 'ExpressionStatement' || statement.kind === 'VariableStatement') &&
    questions
      .callsIn(statement)
      .some(
        (call) =>
          questions.callsOut(call) ||
          questions.innerTargets(call).some((inner) => questions.reaches(inner, (node) => questions.callsOut(node), 1)),
      )
  for (const list of statementLists(body))
    for (const [i, statement] of list.entries()) {
      if (statement.kind !== 'ExpressionStatement') continue
      const { expression } = statement
      const write =
        expression.kind === 'Assignment' || expression.kind === 'Unary' ? questions.writesIn(statement)[0] : undefined
      const root = write && rootOf(questions, write)
      if (!root || callsOut(statement)) continue
      const ahead = list.slice(i + 1, i + 2 + mostStatementsBetween)
      const call = ahead.findIndex(callsOut)
      if (call < 0) continue
      const passed = ahead.slice(0, call + 1)
      if (passed.some((each) => some(each, (node) => questions.variableOf(node) === root))) continue
      const { end } = passed.at(-1)!
      yield {
        operator: 'write moved behind call',
        edits: [remove(statement), { start: end, end, text: ` ${sourceOf(scene, statement)}` }],
      }
    }
}

/** `x -= y`, `x = x - y`, `x = x.sub(y)`: the sign with which a storage cell moves, and where it is written. */
const moveOf = (
  scene: Scene,
  expression: Expression,
): { sign: '+' | '-'; at: Span; target: Expression } | undefined => {
  if (expression.kind !== 'Assignment' || !scene.questions.storageRoot(expression.target)) return undefined
  const { operator, target } = expression
  const value = stripParentheses(expression.value)
  const same = (other: Expression): boolean => sourceOf(scene, other) === sourceOf(scene, target)
  if (operator === '+=' || operator === '-=') {
    const at = scene.fn.file.text.indexOf(operator, target.end - scene.fn.file.base) + scene.fn.file.base
    return { sign: operator === '+=' ? '+' : '-', at: { start: at, end: at + 1 }, target }
  }
  if (operator !== '=') return undefined
  if (value.kind === 'Binary' && (value.operator === '+' || value.operator === '-') && same(value.left)) {
    const at = scene.fn.file.text.indexOf(value.operator, value.left.end - scene.fn.file.base) + scene.fn.file.base
    return { sign: value.operator, at: { start: at, end: at + 1 }, target }
  }
  if (value.kind !== 'Call') return undefined
  const { callee } = value
  const name = callee.kind === 'Member' ? callee.name : callee.kind === 'Identifier' ? callee : undefined
  const first = callee.kind === 'Member' && !value.args.values[1] ? callee.object : value.args.values[0]
  if (!name || !first || !same(first) || !/^_?(add|sub)$/.test(name.name)) return undefined
  return { sign: name.name.endsWith('add') ? '+' : '-', at: { start: name.end - 3, end: name.end }, target }
}

function* moves(scene: Scene): Iterable<Site> {
  for (const statement of statementsOf(scene.body)) {
    if (statement.kind !== 'ExpressionStatement') continue
    const move = moveOf(scene, statement.expression)
    if (!move) continue
    const isPart = stripParentheses(move.target).kind !== 'Identifier'
    if (!isPart && /nonce/i.test(sourceOf(scene, move.target))) continue
    if (!isPart) yield { operator: 'total not updated', edits: [remove(statement)] }
    else if (move.sign === '-') yield { operator: 'debit removed', edits: [remove(statement)] }
    const isWord = move.at.end - move.at.start > 1
    const other = move.sign === '+' ? (isWord ? 'sub' : '-') : isWord ? 'add' : '+'
    yield { operator: '+= and -= swapped', edits: [replace(move.at, other)] }
  }
}

/** A flag that the function tests and then sets, or a record that it deletes beside a payment. */
function* marks(scene: Scene): Iterable<Site> {
  const { fn, body, questions } = scene
  if (isPrivileged(scene)) return
  const statements = statementsOf(body)
  const conditions = statements.map(checkOf).filter((check): check is Check => check !== undefined)
  const pays = questions.reaches(fn, (node) => questions.isForeignCall(node), 2)
  for (const statement of statements) {
    if (statement.kind !== 'ExpressionStatement') continue
    const { expression } = statement
    const isMark =
      (expression.kind === 'Assignment' && expression.operator === '=' && isConstantMark(expression.value)) ||
      (expression.kind === 'Unary' && expression.operator === 'delete')
    if (!isMark) continue
    const target = expression.kind === 'Assignment' ? expression.target : expression.operand
    const root = questions.storageRoot(target)
    if (!root) continue
    const isTested = conditions.some(({ condition }) => some(condition, (node) => questions.variableOf(node) === root))
    const isCleared = stripParentheses(target).kind !== 'Identifier' && isEmpty(expression) && pays
    if ((isTested || isCleared) && !/init|lock|entered|guard/i.test(root.name))
      yield { operator: 'once-only mark removed', edits: [remove(statement)] }
  }
}

const isConstantMark = (value: Expression): boolean =>
  (value.kind === 'Literal' && /^(true|0|1)$/.test(value.value)) ||
  (value.kind === 'Member' && /^[A-Z]/.test(value.name.name))

const isEmpty = (expression: Expression): boolean =>
  expression.kind === 'Unary' ||
  (expression.kind === 'Assignment' && expression.value.kind === 'Literal' && expression.value.value === '0')

function* nonces(scene: Scene): Iterable<Site> {
  const { body, questions } = scene
  const bare = new Set(
    statementsOf(body).flatMap((statement) => (statement.kind === 'ExpressionStatement' ? [statement.expression] : [])),
  )
  for (const write of questions.writesIn(body)) {
    const target = write.kind === 'Assignment' ? write.target : write.operand
    const isCounted = write.kind === 'Assignment' ? moveOf(scene, write)?.sign === '+' : write.operator === '++'
    if (!isCounted || !/nonce/i.test(sourceOf(scene, target))) continue
    const kept = write.kind === 'Unary' && !write.prefix ? sourceOf(scene, target) : `(${sourceOf(scene, target)} + 1)`
    if (bare.has(write))
      yield { operator: 'nonce not counted', edits: [{ start: write.start, end: write.end + 1, text: '' }] }
    else yield { operator: 'nonce not counted', edits: [replace(write, kept)] }
  }
}

const settles = /accru|settle|checkpoint|drip|update|sync|poke|refresh|distribut/i

/** Brings what depends on time up to date before the function goes on. */
function* settlements(scene: Scene): Iterable<Site> {
  const { fn, body, questions } = scene
  if (!changesState(fn)) return
  const isSettlement = (called: FunctionModel | FunctionModel['modifiers'][number]['modifier']): boolean =>
    called !== null &&
    settles.test(called.name) &&
    questions.reaches(called, readsClock, 4) &&
    questions.reaches(called, (node) => questions.writesIn(node).length > 0, 4)
  for (const use of fn.modifiers)
    if (isSettlement(use.modifier)) yield { operator: 'settlement removed', edits: [remove(use.node)] }
  const statements = statementsOf(body)
  if (statements.length < 2) return
  for (const statement of statements) {
    if (statement.kind !== 'ExpressionStatement' || statement.expression.kind !== 'Call') continue
    if (questions.innerTargets(statement.expression).some(isSettlement))
      yield { operator: 'settlement removed', edits: [remove(statement)] }
  }
}

const limits = /min|max|limit|slippage|least|most/i
const times = /deadline|expir|valid|updated|stale|age\b|heartbeat|timeout|delay/i

/** A limit that comes in with the call, held against something that the function has worked out. */
const isLimitCheck = ({ questions }: Scene, { condition }: Check): boolean =>
  some(condition, isOrdering) &&
  !some(condition, readsClock) &&
  some(condition, (node) => node.kind === 'Call' || /^(local|return)$/.test(questions.variableOf(node)?.role ?? '')) &&
  some(condition, (node) => {
    if (node.kind === 'Member' && limits.test(node.name.name) && !/^(MIN|MAX)/.test(node.name.name))
      return node.object.kind === 'Identifier' && questions.variableOf(node.object)?.role === 'parameter'
    const variable = questions.variableOf(node)
    return variable?.role === 'parameter' && limits.test(variable.name)
  })

const isTimeCheck = (scene: Scene, { condition }: Check): boolean =>
  some(condition, isOrdering) && some(condition, readsClock) && times.test(sourceOf(scene, condition))

function* limitChecks(scene: Scene): Iterable<Site> {
  if (isPrivileged(scene)) return
  for (const use of scene.fn.modifiers) {
    const block = use.node.args && use.modifier?.node.body
    const isOnTime =
      block && statementsOf(block).some((statement) => some(statement, readsClock) && checkOf(statement) !== undefined)
    if (isOnTime && times.test(sourceOf(scene, use.node)))
      yield { operator: 'staleness check removed', edits: [remove(use.node)] }
  }
  for (const statement of statementsOf(scene.body)) {
    const check = checkOf(statement)
    if (!check) continue
    if (isTimeCheck(scene, check)) yield { operator: 'staleness check removed', edits: [remove(statement)] }
    else if (changesState(scene.fn) && isLimitCheck(scene, check))
      yield { operator: 'slippage check removed', edits: [remove(statement)] }
  }
}

function* results(scene: Scene): Iterable<Site> {
  const { body, model } = scene
  const answers = new Set<unknown>()
  for (const statement of statementsOf(body)) {
    if (statement.kind === 'VariableStatement' && statement.value?.kind === 'Call') {
      const { kind, builtin } = model.callTarget(statement.value)
      if (kind === 'low-level' && builtin !== 'staticcall') answers.add(model.variablesOf(statement)[0])
      continue
    }
    const check = checkOf(statement)
    if (!check) continue
    const { condition } = check
    if (some(condition, (node) => answers.has(scene.questions.variableOf(node))))
      yield { operator: 'result not checked', edits: [remove(statement)] }
    else if (condition.kind === 'Call' && isActWithAnswer(scene, condition))
      yield { operator: 'result not checked', edits: [replace(statement, `${sourceOf(scene, condition)};`)] }
  }
}

/** `token.transfer(…)`, `a.send(…)`: does something, and answers whether it worked. */
const isActWithAnswer = ({ model }: Scene, call: Expression & { kind: 'Call' }): boolean => {
  const target = model.callTarget(call)
  if (target.kind === 'send') return true
  const isAct = target.function?.mutability === 'nonpayable' || target.function?.mutability === 'payable'
  return target.kind === 'external' && isAct && calleeName(call) !== undefined
}

const finders: readonly Finder[] = [
  accessModifiers,
  senderChecks,
  initializers,
  locks,
  lateWrites,
  moves,
  marks,
  nonces,
  settlements,
  limitChecks,
  results,
]

const toFault = (file: SourceFile, fn: FunctionModel, { operator, edits }: Site): Fault => {
  const local = edits.map(({ start, end, text }) => ({ start: start - file.base, end: end - file.base, text }))
  const first = local[0]!
  return {
    operator,
    path: file.path,
    contract: fn.contract?.name ?? '',
    function: fn.name || fn.role,
    line: file.text.slice(0, first.start).split('\n').length,
    removed: file.text.slice(first.start, first.end).replace(/\s+/g, ' '),
    edits: local,
  }
}

/** Faults in the files for which `isMeant` holds, in the order of the text. */
export const findFaults = (model: Model, isMeant: (path: string) => boolean): Fault[] => {
  const questions = new Questions(model)
  const callers = findCallers(model, questions)
  const faults: Fault[] = []
  for (const { contractKind, functions, file } of model.contracts) {
    if (contractKind === 'interface' || !isMeant(file.path)) continue
    for (const fn of functions) {
      const { body } = fn.node
      if (!body || fn.role === 'constructor') continue
      const scene = { fn, body, questions, model, callers }
      for (const find of finders) for (const site of find(scene)) faults.push(toFault(file, fn, site))
    }
  }
  return faults
}

/** Functions from which another is reached inside of the program, directly or not, itself among them. */
export const findCallers = (
  model: Model,
  questions = new Questions(model),
): ((fn: FunctionModel) => readonly FunctionModel[]) => {
  const direct = new Map<string, Set<FunctionModel>>()
  const keyOf = ({ name, params }: FunctionModel): string => `${name}/${params.length}`
  for (const { functions } of model.contracts)
    for (const fn of functions) {
      const roots = [fn.node.body, ...fn.modifiers.flatMap(({ node, modifier }) => [node.args, modifier?.node.body])]
      for (const call of roots.flatMap((root) => (root ? questions.callsIn(root) : [])))
        for (const target of questions.innerTargets(call))
          direct.set(keyOf(target), (direct.get(keyOf(target)) ?? new Set()).add(fn))
    }
  const known = new Map<FunctionModel, readonly FunctionModel[]>()
  return (fn) => {
    const found = known.get(fn) ?? reachedBackwards(fn, (each) => direct.get(keyOf(each)) ?? [])
    known.set(fn, found)
    return found
  }
}

const reachedBackwards = (
  fn: FunctionModel,
  step: (fn: FunctionModel) => Iterable<FunctionModel>,
): readonly FunctionModel[] => {
  const reached = new Set([fn])
  for (const each of reached) for (const caller of step(each)) reached.add(caller)
  return [...reached]
}
