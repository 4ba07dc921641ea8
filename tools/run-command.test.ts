import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { runCommand } from './run-command.mjs'

const node = (code: string) => runCommand(process.execPath, ['-e', code])

test('the exit code of the child is the answer', async () => {
  expect(await node('process.exit(0)')).toBe(0)
  expect(await node('process.exit(7)')).toBe(7)
})

test('a child that a signal ended answers 128 + n', async () => {
  expect(await node("process.kill(process.pid, 'SIGKILL')")).toBe(137)
})

test('a command that does not exist is an error', async () => {
  await expect(runCommand('/nowhere/no-such-command', [])).rejects.toThrow('ENOENT')
})

test('a signal reaches the child first, then ends the parent', async () => {
  const child =
    "process.on('SIGTERM', () => { console.log('child stops'); process.exit(0) }); console.log('ready'); setInterval(() => {}, 1000)"
  const parent = `import { runCommand } from ${JSON.stringify(new URL('./run-command.mjs', import.meta.url).href)}
    await runCommand(process.execPath, ['-e', ${JSON.stringify(child)}])
    console.log('parent went on')`
  const started = spawn(process.execPath, ['--input-type=module', '-e', parent], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  started.stdout.on('data', (chunk) => {
    out += chunk
    if (out === 'ready\n') started.kill('SIGTERM')
  })
  const [code] = await once(started, 'close')
  expect([out, code]).toEqual(['ready\nchild stops\n', 143])
})
