import type { Io } from '../io.ts'
import { progress as texts } from '../messages/output.ts'
import type { Stage } from '../scan/scan-request.ts'

export interface Progress {
  show(done: number, total: number, stage?: Stage): void
  end(): void
}

const quiet: Progress = { show: () => {}, end: () => {} }
const barWidth = 24
/** A scan that is over sooner needs no bar; one would only flicker. */
const patienceMilliseconds = 300

/** Too little is known before so many of the files are done. */
const leastShare = 0.1

/** How long it will still take, if it goes on as it went. */
export const restOf = (done: number, total: number, seconds: number): string =>
  done < total * leastShare || done >= total ? '' : texts.about(Math.ceil((seconds / done) * (total - done)))

/** A bar on a terminal, nothing in a pipe. */
export function createProgress(isWanted: boolean, { err, environment }: Io): Progress {
  if (!isWanted || !err.isTerminal || environment.CI || environment.TERM === 'dumb') return quiet
  let state: readonly [done: number, total: number, stage?: Stage | undefined] = [0, 0]
  let isShown = false
  const started = performance.now()
  const draw = () => {
    const [done, total, stage] = state
    if (performance.now() - started < patienceMilliseconds || (total === 0 && !stage)) return
    isShown = true
    const full = total === 0 ? 0 : Math.round((done / total) * barWidth)
    const named = stage ? `${texts.stages[stage]} ` : ''
    const count = total === 0 ? '' : `${done}/${total} `
    const passed = (performance.now() - started) / 1000
    err.write(
      `\r\x1b[K${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${named}${count}files, ${passed.toFixed(0)} s${restOf(done, total, passed)}`,
    )
  }
  const timer = setInterval(draw, 100)
  timer.unref()
  return {
    show(done, total, stage) {
      state = [done, total, stage]
      draw()
    },
    end() {
      clearInterval(timer)
      if (isShown) err.write('\r\x1b[K')
    },
  }
}
