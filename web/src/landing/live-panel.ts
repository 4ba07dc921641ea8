import type { LiveAnswer } from '../playground/live-scanner.ts'
import { panelHtml } from './panel-html.ts'

/** The result of the text beside it: each line of it leads to its place. */
export interface LivePanel {
  say(words: string): void
  show(answer: LiveAnswer): void
  /** A newer text waits to be scanned. */
  isOutdated(outdated: boolean): void
}

/** The result of the example is in the page already: clicks are heard by the panel, whatever it shows. */
export function createLivePanel(
  place: HTMLElement,
  { onLine, onKeep, keepWords }: { onLine: (line: number) => void; onKeep: () => void; keepWords: () => string },
): LivePanel {
  place.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    if (button?.dataset.line !== undefined) onLine(Number(button.dataset.line))
    else if (button?.dataset.keep !== undefined) onKeep()
  })
  const say = (words: string): void => {
    const line = document.createElement('p')
    line.className = 'm-auto max-w-72 text-center text-sm text-soft'
    line.textContent = words
    place.replaceChildren(line)
  }
  return {
    say,
    show(answer) {
      if (answer.kind === 'unreadable') say(answer.problem)
      else place.innerHTML = panelHtml(answer.result, keepWords())
    },
    isOutdated: (outdated) => place.classList.toggle('grayscale', outdated),
  }
}
