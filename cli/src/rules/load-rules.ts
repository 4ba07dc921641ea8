import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Detector, detectors, ruleApi } from '@assay/engine'
import { Complaint } from '../io.ts'
import { loadRules as messages } from '../messages/rules.ts'
import { isYaml, readYamlRules } from './read-yaml-rules.ts'
import { toRuleFailure } from './rule-failure.ts'

const severities = ['critical', 'high', 'medium', 'low', 'info']
const texts = ['id', 'title', 'description', 'recommendation'] as const

/** Detectors of a user's own: rules without code in YAML, or modules whose default export is a function that is given the API, or what it returns. */
export async function loadRules(locations: readonly string[]): Promise<Detector[]> {
  const rules: Detector[] = []
  for (const location of locations) {
    const made = await makeRules(location)
    for (const rule of Array.isArray(made) ? made : [made]) rules.push(checkRule(location, rule, rules))
  }
  return rules
}

async function makeRules(location: string): Promise<unknown> {
  try {
    if (statSync(location, { throwIfNoEntry: false })?.isDirectory()) throw new Error(messages.folderNameFiles)
    if (isYaml(location)) return readYamlRules(location)
    const { default: given, apiVersion } = await import(pathToFileURL(location).href)
    if (apiVersion !== undefined && apiVersion !== ruleApi.version)
      throw new Error(messages.writtenVersionApiVersion(apiVersion, ruleApi.version))
    return typeof given === 'function' ? given(ruleApi) : given
  } catch (error) {
    const { message, frames } = toRuleFailure(error, [location], dirname(location))
    const words = error instanceof Error && error.name === 'Error' ? error.message : message
    throw new Complaint(`--rules ${location}${frames[0] ? ` (${frames[0]})` : ''}: ${words}.`)
  }
}

function checkRule(location: string, rule: unknown, others: readonly Detector[]): Detector {
  const problem = problemOf(rule as Partial<Detector> | null | undefined, others)
  if (problem) throw new Complaint(`--rules ${location}: ${problem}.`)
  const { references = [], cwe = [], swc = null, confidence = 'medium', ...rest } = rule as Detector
  // A house's own rule says itself how sure it is.
  const finding: Detector['finding'] = (candidate) => ({ confidence, ...rest.finding(candidate) })
  return { ...rest, references, cwe, swc, confidence, finding }
}

function problemOf(rule: Partial<Detector> | null | undefined, others: readonly Detector[]): string | undefined {
  if (typeof rule !== 'object' || rule === null) return messages.defaultExportMustDetector
  const missing = texts.find((key) => typeof rule[key] !== 'string' || rule[key] === '')
  if (missing) return messages.detectorLacks(missing)
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(rule.id ?? '')) return messages.idNotKebabCase(rule.id)
  if ([...detectors, ...others].some(({ id }) => id === rule.id)) return messages.thereDetectorAlready(rule.id)
  if (!severities.includes(rule.severity ?? '')) return messages.severityMustOne(rule.id, severities.join(', '))
  const hasClaim = [rule.candidates, rule.candidatesInModel, rule.candidatesInFile].some(
    (claim) => typeof claim === 'function',
  )
  if (!hasClaim || typeof rule.finding !== 'function') return messages.needsClaimCandidatesCandidatesinmodel(rule.id)
  return undefined
}
