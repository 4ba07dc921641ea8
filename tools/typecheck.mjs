// Checks the types of every workspace.
//   node tools/typecheck.mjs [program…]
import { join } from 'node:path'
import { isMain, main, root, say } from './project.mjs'
import { runCommand } from './run-command.mjs'

/**
 * One program for all that runs on Node: they share most of their files, and apart each would check them anew. The engine must do
 * without Node, the client and the dashboard have a browser's types.
 */
const programs = ['tsconfig.node.json', 'engine', 'client', 'web']

/** Resolves to the names of the programs that do not check. The compiler is native, so two at a time are enough. */
export async function typecheck(names = programs) {
  const queue = [...names]
  const failed = []
  const work = async () => {
    for (let name = queue.shift(); name; name = queue.shift()) if ((await check(name)) !== 0) failed.push(name)
  }
  await Promise.all([work(), work()])
  return failed
}

function check(name) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  // What was checked before and did not change is not checked again.
  const memory = join(root, '.cache', 'types', `${name}.tsbuildinfo`)
  const args = [tsc, '-p', name, '--noEmit', '--incremental', '--tsBuildInfoFile', memory]
  return runCommand(process.execPath, args, { cwd: root })
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const failed = await typecheck(process.argv.length > 2 ? process.argv.slice(2) : undefined)
    if (failed.length > 0) say(`types do not check in ${failed.join(', ')}`)
    return failed.length > 0 ? 1 : 0
  })
}
