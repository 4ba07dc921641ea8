import { AssayError, type Client } from '../../client/src/index.ts'
import { placesOf } from '../found-places.ts'
import type { WalkReport } from './report.ts'
import type { Repository } from './repository.ts'

type Result = Awaited<ReturnType<Client['scans']['create']>>

const BASIC_BYTES = 1024 * 1024
const ON_BASIC = 'archive on basic'

/** The project by each form, all asked for at once: the same findings, places, score and digest. */
export async function walkForms(repository: Repository, pro: Client, basic: Client, report: WalkReport): Promise<void> {
  const { name } = repository
  const archive = { name: `${name}.zip`, content: new Uint8Array(repository.archive()) }
  const sources = repository.sources()
  const bytes = sources.reduce((sum, [, content]) => sum + Buffer.byteLength(content), 0)
  const started = performance.now()
  const submitForm = async ([form, send]: [form: string, send: () => Promise<Result>]) => {
    const { result, refusal } = await send().then(
      (result) => ({ result, refusal: undefined }),
      (refusal: unknown) => ({ result: undefined, refusal }),
    )
    return { form, result, refusal, seconds: (performance.now() - started) / 1000 }
  }
  const forms = formsOf(repository, archive, pro)
  if (bytes <= BASIC_BYTES) forms[ON_BASIC] = () => queueAndWait(basic, archive)
  const answers = await Promise.all(Object.entries(forms).map(submitForm))
  const expected = answers[0]?.result && linesOf(answers[0].result)
  for (const { form, result, refusal, seconds } of answers) {
    const of = `${name}, ${form}`
    const isOfPlan = form === ON_BASIC && refusal instanceof AssayError && refusal.code === 'contract-too-large'
    report.row({
      project: name,
      step: form,
      sources: sources.length,
      KB: Math.round(bytes / 1024),
      'zip KB': Math.round(archive.content.length / 1024),
      findings: result?.dataVulnerabilities.length,
      places: result && placesOf([result]).length,
      completeness: result?.completeness,
      s: seconds.toFixed(1),
      verdict:
        result && expected
          ? report.compare(of, expected, linesOf(result))
          : isOfPlan
            ? refusal.message
            : report.fail(of, String(refusal)),
    })
  }
}

const queueAndWait = async (
  client: Client,
  file: { name: string; content: Uint8Array<ArrayBuffer> },
): Promise<Result> => client.scans.wait((await client.scans.queue({ file })).scanId)

function formsOf(
  repository: Repository,
  archive: { name: string; content: Uint8Array<ArrayBuffer> },
  client: Client,
): Record<string, () => Promise<Result>> {
  const remappings = repository.remappings()
  const sources = Object.fromEntries(repository.sources().map(([path, content]) => [path, { content }]))
  const parts = repository.sources().map(([name, content]) => ({ name, content }))
  const mapped = remappings.length > 0 ? [{ name: 'remappings.txt', content: remappings.join('\n') }] : []
  return {
    'archive, queued': () => queueAndWait(client, archive),
    archive: () => client.scans.create({ file: archive }),
    'standard JSON': () => client.scans.createFromSources({ language: 'Solidity', sources, settings: { remappings } }),
    parts: () => client.scans.create({ file: [...parts, ...mapped] }),
  }
}

const linesOf = (result: Result): string[] => [
  `score ${result.securityScore.score}, ${JSON.stringify(result.securityScore.summary)}, ${result.completeness}`,
  `sha256 ${result.sha256}`,
  ...[...result.dataVulnerabilities, ...result.advisories].map(({ fingerprint }) => fingerprint),
  ...placesOf([result]),
]
