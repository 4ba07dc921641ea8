import type { LiveAnswer } from '../playground/live-scanner.ts'
import { panelHtml } from './panel-html.ts'

/** The result of the text beside it: each line of it leads to its place. */
export interface LivePanel {
  say(words: string): void
  show(answer: LiveAnswer): void
  /** A newer text waits to be scanned. */
  isOutdated(outdated: boolean): void
}

export function createLivePanel(place: HTMLElement, keepWords: () => string): LivePanel {
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
