/** Findings in, evidence out: compile, set the scene, attack, control, tell. Reads as the pipeline. */
import type { Evidence, Finding, InputFile, SetUpHint } from '@assay/engine'
import type { Attack, Proof, Scene } from './attacks/attack.ts'
import { attackFor, attacks } from './attacks/index.ts'
import type { Compilation, CompiledContract } from './compile/compilation.ts'
import { compile } from './compile/compile.ts'
import { importClosure } from './compile/import-closure.ts'
import { type LineRange, linesOfFunctionAt, pcsOfLines } from './compile/source-map.ts'
import { notAttempted } from './evidence/evidence.ts'
import { toEvidence } from './evidence/to-evidence.ts'
import { type Machine, type Snapshot, type Start, today } from './evm/machine.ts'
import { howToInstall, isInstalled, loadPackages, type Packages } from './packages.ts'
import type { SceneOptions, SceneResult } from './scene/build-scene.ts'
import { canChange, canLose } from './scene/can-lose.ts'
import { Chain } from './scene/chain.ts'
import { isDeployable } from './scene/deploy-live.ts'
import { earlierStarts } from './scene/earlier-starts.ts'
import { setScene, whyUsedUp } from './scene/set-scene.ts'
import type { StandIn } from './scene/stand-ins.ts'
import type { Instance } from './scene/step.ts'
import { BudgetSpent, defaultLimits, type FindingBudget, type Limits, ScanBudget } from './search/budget.ts'

/** What the prover reads of a finding; one of a stored result serves too. */
export type ProvableFinding = Pick<Finding, 'detector' | 'contract' | 'function' | 'line' | 'endLine' | 'trace'> & {
  readonly swc: string | null
}

export interface FindingAt {
  /** Of the file among the given ones. */
  readonly path: string
  readonly finding: ProvableFinding
}

export interface ProveOptions {
  readonly limits?: Partial<Limits>
  readonly seed?: number
  readonly remappings?: readonly string[]
  /** How the project itself deploys its contracts, from its tests and scripts. */
  readonly hints?: readonly SetUpHint[]
  readonly cacheFolder?: string
  /** Called where the packages are missing. */
  readonly howToInstall?: string
  /** Called as soon as it is known; evidence itself carries no times, so that it stays reproducible. */
  onEvidence?(evidence: Evidence, index: number): void
}

/** One evidence per finding, in the order given. Never throws for what a contract does. */
export const prove = async (
  files: readonly InputFile[],
  findings: readonly FindingAt[],
  options: ProveOptions = {},
): Promise<Evidence[]> => {
  if (!isInstalled())
    return findings.map(() =>
      notAttempted(`the prover is not installed (${options.howToInstall ?? howToInstall} installs it)`),
    )
  // Loading the packages and the compiler costs a second or two, and is in the budget.
  const budget = new ScanBudget({ ...defaultLimits, ...options.limits })
  const packages = await loadPackages()
  const provers = new Map<string, Prover | Evidence>()
  const evidence: Evidence[] = []
  for (const [index, finding] of findings.entries()) {
    let prover = provers.get(finding.path)
    if (!prover && budget.isLate) prover = usedUp()
    if (!prover) {
      const result = compile(importClosure(files, finding.path, options.remappings), packages, options)
      prover = result.ok
        ? new Prover(result.compilation, packages, { budget, seed: options.seed ?? 1, hints: options.hints ?? [] })
        : notAttempted(`the files do not compile: ${result.error}`)
      provers.set(finding.path, prover)
    }
    const proven = prover instanceof Prover ? await prover.prove(finding) : prover
    options.onEvidence?.(proven, index)
    evidence.push(proven)
  }
  return evidence
}

const usedUp = (compiler?: string): Evidence => notAttempted(whyUsedUp, compiler)

/** The classes that can be executed. */
export const provableClasses: readonly string[] = attacks.flatMap(({ swc }) => swc ?? [])

/** Whether an attack is written for a finding. */
export const isProvable = (finding: Pick<ProvableFinding, 'detector' | 'swc'>): boolean =>
  attackFor(finding) !== undefined

interface Target {
  readonly contract: CompiledContract
  readonly flagged: ReadonlySet<number>
  readonly related: ReadonlySet<number>
}

interface Stage {
  readonly chain: Chain
  readonly scene: SceneResult
  readonly base: Snapshot
}

class Prover {
  readonly #compilation: Compilation
  readonly #packages: Packages
  readonly #budget: ScanBudget
  readonly #seed: number
  readonly #hints: readonly SetUpHint[]
  readonly #stages = new Map<string, Promise<Stage>>()

  constructor(
    compilation: Compilation,
    packages: Packages,
    { budget, seed, hints }: { budget: ScanBudget; seed: number; hints: readonly SetUpHint[] },
  ) {
    this.#hints = hints
    this.#compilation = compilation
    this.#packages = packages
    this.#budget = budget
    this.#seed = seed
  }

  async prove({ path, finding }: FindingAt): Promise<Evidence> {
    const { compiler } = this.#compilation
    const attack = attackFor(finding)
    if (!attack) return notAttempted(`no attack is written for ${finding.detector}`, compiler)
    if (this.#budget.isSpent) return usedUp(compiler)
    const targets = this.#targetsOf(path, finding)
    if (targets.length === 0) return notAttempted('no deployable contract contains the flagged code', compiler)
    const budget = this.#budget.forFinding()
    let reason = ''
    let isTried = false
    let executed: Evidence | undefined
    for (const target of targets) {
      for await (const stage of this.#stagesFor(target.contract, attack)) {
        const attempt = await this.#attempt(attack, stage, target, { path, finding }, budget)
        if (attempt.evidence?.status === 'confirmed') return attempt.evidence
        executed ??= attempt.evidence
        reason = attempt.reason ?? reason
        isTried ||= attempt.reason === undefined
      }
    }
    const [first] = targets
    if (first && !executed)
      for await (const stage of this.#stagesAtOtherLimits(first.contract, attack, budget)) {
        const attempt = await this.#attempt(attack, stage, first, { path, finding }, budget)
        if (attempt.evidence?.status === 'confirmed') return attempt.evidence
        executed ??= attempt.evidence
      }
    if (executed) return executed
    if (!isTried) return notAttempted(reason, compiler)
    return {
      ...notAttempted('', compiler),
      status: 'not-reproduced',
      summary: `${whatWasTried(budget)} (${attack.tries})`,
      callsTried: budget.calls,
      seed: this.#seed,
    }
  }

  /** Contracts whose code contains the flagged lines: the one named by the finding, then those that inherit them. */
  #targetsOf(path: string, { contract: name, line, endLine, trace }: ProvableFinding): Target[] {
    const source = this.#compilation.sources.find((each) => each.path === path)
    if (!source) return []
    const containing = (lines: LineRange): Target[] =>
      this.#compilation.contracts
        .filter(isDeployable)
        .map((contract) => ({
          contract,
          flagged: pcsOfLines(contract, source, lines),
          related: new Set(
            trace.filter(({ file }) => !file).flatMap((entry) => [...pcsOfLines(contract, source, entry)]),
          ),
        }))
        .filter(({ flagged }) => flagged.size > 0)
        .sort((a, b) => Number(b.contract.name === name) - Number(a.contract.name === name))
        .slice(0, 2)
    const exact = containing({ line, endLine })
    // A finding about a function as a whole stands at its head, which becomes no instruction.
    const around = exact.length > 0 ? undefined : linesOfFunctionAt(source, line)
    return around ? containing(around) : exact
  }

  /** As of today, and then, where the contract read moments long gone, as of those; the liveliest first. */
  async *#stagesFor(contract: CompiledContract, attack: Attack): AsyncGenerator<Stage> {
    const now = await this.#stage(contract, attack, today)
    const played = [now]
    const earlier = async (): Promise<Stage[]> => {
      const stages: Stage[] = []
      for (const start of earlierStarts(now.chain.machine.bygone))
        stages.push(await this.#stage(contract, attack, start))
      return stages.filter((stage) => !played.includes(stage) && stage.scene.ok)
    }
    const livelier = (await earlier()).find((stage) => useOf(stage) > useOf(now))
    if (livelier) {
      played.push(livelier)
      yield livelier
    }
    yield now
    // What the attack itself read is known only now.
    for (const stage of await earlier()) yield stage
    if (!now.chain.tokens.some(({ instance }) => instance.name === 'AssayToken')) return
    for (const token of attack.otherTokens ?? []) yield await this.#stage(contract, { ...attack, token }, today)
  }

  /** A goal or a cap of the constructor's that everything went past: deployed with a higher one, each alone. */
  async *#stagesAtOtherLimits(
    contract: CompiledContract,
    attack: Attack,
    budget: FindingBudget,
  ): AsyncGenerator<Stage> {
    const { chain, scene } = await this.#stage(contract, attack, today)
    if (!scene.ok) return
    const { comparedWith } = chain.machine
    const limits = numbersOf(chain, scene.target).filter(([, value]) => comparedWith.has(value))
    for (const [place, value] of limits.slice(0, maxLimits)) {
      if (budget.left < leastCallsForLimit) return
      const raised = higher * (comparedWith.get(value) as bigint)
      const stage = await this.#stage(contract, attack, today, new Map([[place, raised]]))
      if (stage.scene.ok) yield stage
    }
  }

  #stage(
    contract: CompiledContract,
    { withoutForcedEther = false, isUnused = false, hasTwin = false, token = 'AssayToken' }: Attack,
    start: Start,
    numbersAt: ReadonlyMap<number, bigint> = new Map(),
  ): Promise<Stage> {
    const options = [withoutForcedEther, isUnused, hasTwin, token, start.timestamp, start.number, [...numbersAt].join()]
    const key = [contract.path, contract.name, ...options].join(' ')
    let stage = this.#stages.get(key)
    if (!stage) {
      stage = this.#build(contract, { withoutForcedEther, isUnused, hasTwin, token, numbersAt }, start)
      this.#stages.set(key, stage)
    }
    return stage
  }

  async #build(
    contract: CompiledContract,
    options: SceneOptions & { readonly token: StandIn },
    start: Start,
  ): Promise<Stage> {
    const chain = await Chain.create(this.#compilation, this.#packages, start)
    chain.machine.block.salt = this.#seed
    chain.tokenStandIn = options.token
    chain.hints = this.#hints
    if (options.token === 'AssayHookToken') await chain.deployStandIn(options.token)
    const scene = await setScene(chain, contract, options, this.#budget)
    if (scene.ok) chain.machine.watched = new Set(numbersOf(chain, scene.target).map(([, value]) => value))
    return { chain, scene, base: chain.snapshot() }
  }

  async #attempt(
    attack: Attack,
    { chain, scene, base }: Stage,
    { flagged, related }: Target,
    at: FindingAt,
    budget: FindingBudget,
  ): Promise<{ evidence?: Evidence; reason?: string }> {
    if (!scene.ok) return { reason: scene.reason }
    const { target } = scene
    chain.restore(base)
    if (!attack.isOfAnswers && !canChange(chain, target))
      return { reason: `${target.contract.name} has view functions only, which change nothing` }
    if (attack.takesAssets && !canLose(chain, target))
      return { reason: `${target.contract.name} holds no ether, token or role that a call could take` }
    chain.machine.jumpsOfInterest = new Set([...flagged, ...related])
    const played: Scene = { chain, target, finding: at.finding, flagged, related, base, budget }
    const proof = await runWithin(budget, played, attack)
    if (!proof) return {}
    const name = [at.finding.swc, at.finding.detector].filter(Boolean).join(' ')
    return {
      evidence: await toEvidence(chain, {
        base,
        target,
        proof,
        path: at.path,
        line: at.finding.line,
        detector: at.finding.detector,
        name,
        seed: this.#seed,
        calls: budget.calls,
      }),
    }
  }
}

/** Larger than what went past it, however much more is paid in. */
const higher = 16n
const maxLimits = 2
const leastCallsForLimit = 40
const smallest = 2n

/** Numbers of the constructor, with their places. */
const numbersOf = (chain: Chain, { address }: Instance): [number, bigint][] => {
  const deployed = chain.prologue.find((step) => step.kind === 'deploy' && step.instance.address === address)
  if (deployed?.kind !== 'deploy') return []
  return deployed.args.flatMap((value, place): [number, bigint][] =>
    typeof value === 'bigint' && value >= smallest ? [[place, value]] : [],
  )
}

const whatWasTried = ({ calls, isLate }: FindingBudget): string =>
  isLate ? `ran out of time after ${calls} calls` : `not reproduced in ${calls} calls`

const useOf = ({ scene }: Stage): number => (scene.ok ? scene.use : -1)

const isOfAnotherTime = ({ start, bygone }: Machine): boolean =>
  start === today && bygone.timestamps.size + bygone.numbers.size > 0

/** Whatever an attack does, its calls are counted, and it ends with them. */
const runWithin = async (budget: FindingBudget, scene: Scene, attack: Attack): Promise<Proof | undefined> => {
  const { machine } = scene.chain
  const mostToday = budget.calls + Math.ceil(budget.left / 2)
  machine.onCall = () => {
    // The other half is for the time that the contract was written for.
    if (isOfAnotherTime(machine) && budget.calls >= mostToday) throw new BudgetSpent()
    budget.count()
  }
  machine.onLook = () => budget.look()
  try {
    return await attack.run(scene)
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    return undefined
  } finally {
    machine.onCall = undefined
    machine.onLook = undefined
    machine.refuse = undefined
    machine.replace = undefined
  }
}
