// Runs one child to its end, hands on the signals that reach us, and says how it ended.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Resolves to the exit code. A signal that arrives meanwhile goes to the child first; once the child is gone this process
 * ends with the usual 128 + n, so that nothing is left behind and nothing goes on after an interrupt.
 */
export function runCommand(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    let interrupt
    const forward = (signal) => {
      interrupt = signal
      child.kill(signal)
    }
    for (const signal of forwarded) process.on(signal, forward)
    const release = () => {
      for (const signal of forwarded) process.off(signal, forward)
    }
    child.on('error', (error) => {
      release()
      reject(error)
    })
    child.on('close', (code, signal) => {
      release()
      if (interrupt) process.exit(128 + constants.signals[interrupt])
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}
