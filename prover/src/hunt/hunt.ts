/**
 * The search without a finding: every contract of the given files is deployed and attacked for a given time. What is reported was executed, and
 * is as short as it can be.
 */
import type { Evidence, InputFile, SetUpHint } from '@assay/engine'
import type { Compilation, CompiledContract } from '../compile/compilation.ts'
import { compile } from '../compile/compile.ts'
import { importClosure } from '../compile/import-closure.ts'
import { toEvidence } from '../evidence/to-evidence.ts'
import { loadPackages, type Packages } from '../packages.ts'
import { Chain } from '../scene/chain.ts'
import { isDeployable } from '../scene/deploy-live.ts'
import { usePartners } from '../scene/honest-use.ts'
import { setScene } from '../scene/set-scene.ts'
import type { CallStep, Step } from '../scene/step.ts'
import { BudgetSpent, cpuNow, FindingBudget } from '../search/budget.ts'
import { findExits } from './exits.ts'
import type { Oracle } from './harm.ts'
import { type HuntScene, standingOf } from './hunt-scene.ts'
import type { Catch, Hunter } from './hunter.ts'
import { hunters } from './hunters.ts'
import { type Place, placeOf } from './place.ts'

/** A file of the project that is to be searched, with what it imports. */
export interface HuntUnit {
  readonly path: string
  readonly files: readonly InputFile[]
  readonly remappings: readonly string[]
}

export interface HuntOptions {
  /** CPU time over compiling, scenes and searches. */
  readonly milliseconds: number
  readonly seed?: number
  /** How the project itself deploys its contracts, from its tests and scripts. */
  readonly hints?: readonly SetUpHint[]
  /** Calls of the EVM per contract and kind of search; for runs that must not depend on time. */
  readonly calls?: number
  onReport?(report: HuntReport): void
  /** Whether a report ends the search, where one exploit is enough. */
  isEnough?(report: HuntReport): boolean
  /** Contracts that are done, and how many there are. */
  onProgress?(done: number, total: number): void
}

export interface HuntReport extends Place {
  readonly oracle: Oracle
  readonly evidence: Evidence
}

export interface HuntResult {
  readonly reports: readonly HuntReport[]
  readonly searched: readonly { readonly path: string; readonly contract: string }[]
  readonly notSearched: readonly { readonly path: string; readonly contract: string | null; readonly reason: string }[]
  readonly calls: number
}

type Stage = Omit<HuntScene, 'budget'>

const maxExitCalls = 600

interface Quarry {
  readonly compilation: Compilation
  readonly contract: CompiledContract
}

export const hunt = async (units: readonly HuntUnit[], options: HuntOptions): Promise<HuntResult> => {
  const deadline = cpuNow() + options.milliseconds
  const packages = await loadPackages()
  const run = new Hunt(packages, deadline, options)
  const quarries = units.flatMap((unit) => run.compile(unit))
  for (const [index, quarry] of quarries.entries()) {
    if (run.isOver) break
    const share = (deadline - cpuNow()) / (quarries.length - index)
    await run.search(quarry, cpuNow() + share)
    options.onProgress?.(index + 1, quarries.length)
  }
  return run.result()
}

class Hunt {
  readonly #packages: Packages
  readonly #deadline: number
  readonly #options: HuntOptions
  readonly #reports = new Map<string, HuntReport>()
  readonly #searched: { path: string; contract: string }[] = []
  readonly #notSearched: { path: string; contract: string | null; reason: string }[] = []
  #calls = 0
  isOver = false

  constructor(packages: Packages, deadline: number, options: HuntOptions) {
    this.#packages = packages
    this.#deadline = deadline
    this.#options = options
  }

  result(): HuntResult {
    return {
      reports: [...this.#reports.values()],
      searched: this.#searched,
      notSearched: this.#notSearched,
      calls: this.#calls,
    }
  }

  compile({ path, files, remappings }: HuntUnit): Quarry[] {
    if (cpuNow() > this.#deadline) {
      this.#notSearched.push({ path, contract: null, reason: 'the time was used up' })
      return []
    }
    const result = compile(importClosure(files, path, remappings), this.#packages, { remappings })
    if (!result.ok) {
      this.#notSearched.push({ path, contract: null, reason: `the files do not compile: ${result.error}` })
      return []
    }
    const { compilation } = result
    return compilation.contracts
      .filter((contract) => contract.path === path && isDeployable(contract))
      .map((contract) => ({ compilation, contract }))
  }

  async search(quarry: Quarry, until: number): Promise<void> {
    const { path, name: contract } = quarry.contract
    const stages = new Map<string, Stage | string>()
    for (const [index, hunter] of hunters.entries()) {
      if (this.isOver || cpuNow() > until) break
      if (hunter.token && !worksWithTokens(stages)) continue
      const key = `${hunter.isUnused ?? false} ${hunter.token ?? ''}`
      const stage = stages.get(key) ?? (await this.#stage(quarry, hunter, until))
      stages.set(key, stage)
      if (typeof stage === 'string') continue
      const share = (until - cpuNow()) / (hunters.length - index)
      await this.#runHunter(hunter, stage, cpuNow() + share)
    }
    const reason = [...stages.values()].find((stage) => typeof stage === 'string')
    if (typeof reason === 'string') this.#notSearched.push({ path, contract, reason })
    else this.#searched.push({ path, contract })
  }

  async #stage(
    { compilation, contract }: Quarry,
    { isUnused = false, token }: Hunter,
    until: number,
  ): Promise<Stage | string> {
    const chain = await Chain.create(compilation, this.#packages)
    if (token) {
      await chain.deployStandIn(token)
      chain.tokenStandIn = token
    }
    chain.machine.block.salt = this.#options.seed ?? 1
    chain.hints = this.#options.hints ?? []
    const clock = {
      get isLate() {
        return cpuNow() > until
      },
    }
    const scene = await setScene(chain, contract, { withoutForcedEther: true, isUnused }, clock)
    if (!scene.ok) return scene.reason
    if (!isUnused) await usePartners(chain, scene.target)
    const base = chain.snapshot()
    const exits = isUnused ? [] : await findExits(chain, new FindingBudget(maxExitCalls, until, () => this.#calls++))
    chain.restore(base)
    return {
      chain,
      target: scene.target,
      base,
      before: standingOf(chain),
      exits,
      storage: new Map(chain.instances.map(({ address }) => [address, chain.machine.storageOf(address)])),
    }
  }

  async #runHunter(hunter: Hunter, stage: Stage, until: number): Promise<void> {
    const { machine } = stage.chain
    const budget = new FindingBudget(this.#options.calls ?? Number.POSITIVE_INFINITY, until, () => this.#calls++)
    const watch = () => {
      machine.onCall = () => budget.count()
      machine.onLook = () => budget.look()
    }
    const unwatch = () => {
      machine.onCall = undefined
      machine.onLook = undefined
    }
    watch()
    try {
      await hunter.run({ ...stage, budget }, async (found) => {
        // What was found is reported in full, even where the time is over meanwhile.
        unwatch()
        await this.#report(stage, found)
        if (this.isOver) throw new BudgetSpent()
        watch()
      })
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error
    } finally {
      unwatch()
      stage.chain.restore(stage.base)
    }
  }

  async #report(
    { chain, ...stage }: Stage,
    { oracle, at, proof, function: fn, base = stage.base }: Catch,
  ): Promise<void> {
    const [contract, name] = fn ? [at.contract, fn] : calledIn(chain, proof.steps, at.contract)
    const place = placeOf(chain.compilation, contract, name)
    const key = `${oracle} ${place.path}:${place.line}`
    if (this.#reports.has(key)) return
    const evidence = await toEvidence(chain, {
      base,
      target: at,
      proof,
      path: place.path,
      line: place.line,
      detector: oracle,
      name: oracle,
      seed: this.#options.seed ?? 1,
      calls: this.#calls,
    })
    const report = { ...place, oracle, evidence }
    this.#reports.set(key, report)
    this.#options.onReport?.(report)
    this.isOver ||= this.#options.isEnough?.(report) ?? false
  }
}

const worksWithTokens = (stages: ReadonlyMap<string, Stage | string>): boolean =>
  [...stages.values()].some(
    (stage) => typeof stage !== 'string' && stage.chain.tokens.some(({ instance }) => instance.name === 'AssayToken'),
  )

/** The call that hands control to the attacker's contract, else the attacker's last call of a contract of the files. */
const calledIn = (
  chain: Chain,
  steps: readonly Step[],
  fallback: CompiledContract,
): readonly [CompiledContract, string | null] => {
  const isOfFiles = ({ to }: CallStep) => chain.instances.some(({ address }) => address === to.address)
  const calls = steps.filter((step): step is CallStep => step.kind === 'call' && isOfFiles(step))
  const isWritten = ({ to, fn }: CallStep) => to.contract.functions.some(({ name }) => name === fn?.name)
  const attackers = calls.filter(({ actor }) => actor === 'attacker')
  const handing = steps[steps.findLastIndex(({ kind }) => kind === 'prepare') + 1]
  const last =
    attackers.find((step) => step === handing && step.via) ??
    attackers.findLast(isWritten) ??
    attackers.at(-1) ??
    calls.at(-1)
  return [last?.to.contract ?? fallback, last?.fn?.name ?? null]
}
