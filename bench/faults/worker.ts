/** A process of `bench:faults`: compiles and judges faults, one after the other. */
import type { InputFile } from '@assay/engine'
import { buildModel, type Model } from '../../engine/src/model/index.ts'
import { compileError } from './compile.ts'
import type { Fault } from './fault.ts'
import { changedFiles, Judge, type Judgement } from './judge.ts'
import { neighbourhoodOf } from './neighbourhood.ts'
import { type Protocol, readProtocols } from './protocols.ts'

export interface Task {
  readonly act: 'compile' | 'judge'
  readonly protocol: string
  readonly fault: Fault
}

export type Answer = { readonly error: string } | Judgement

/** Whether the packages that a protocol imports are among the files that are scanned. */
const [mode, ...folders] = process.argv.slice(2)

const protocols = new Map<string, { readonly protocol: Protocol; readonly model: Model }>()
for (const protocol of readProtocols(folders))
  protocols.set(protocol.name, { protocol, model: buildModel(protocol.files) })

let last: { readonly key: string; readonly judge: Judge } | undefined

const judgeOf = (name: string, files: readonly InputFile[]): Judge => {
  const key = [name, ...files.map(({ path }) => path)].join('\n')
  if (last?.key !== key) last = { key, judge: new Judge(files, protocols.get(name)!.protocol.own) }
  return last.judge
}

const run = ({ act, protocol: name, fault }: Task): Answer => {
  const { protocol, model } = protocols.get(name)!
  const files = neighbourhoodOf(model, protocol.files, fault.path)
  const scanned = mode === 'fresh' ? files.filter((file) => protocol.own.has(file.path)) : files
  if (act === 'judge') return judgeOf(name, scanned).judge(fault)
  return { error: compileError(files) || compileError(changedFiles(files, fault)) }
}

process.on('message', (task: Task) => process.send?.(run(task)))
