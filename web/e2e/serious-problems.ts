import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  violations: { id: string; impact: string | null; help: string; nodes: { html: string }[] }[]
}

/** Off by default in axe. A name that lacks the words on the screen cannot be said to a computer that listens; a target has 24 pixels, or room around it. */
const alsoHeld = {
  'label-content-name-mismatch': { enabled: true },
  'css-orientation-lock': { enabled: true },
  'target-size': { enabled: true },
}

/** What a screen reader's user would stumble over on this page: serious and critical rules that are broken. */
export async function seriousProblems(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const { violations } = (await page.evaluate(`axe.run({ rules: ${JSON.stringify(alsoHeld)} })`)) as AxeResult
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' | ')}`)
}
