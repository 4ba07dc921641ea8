import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** What GitHub keeps of a pull request: comments as the API gives them. */
interface Comment {
  readonly id: number
  readonly body: string
}

/** More than this it refuses. */
const mostLetters = 65_536

/**
 * A folder with a `gh` that answers as `gh api` does for the comments of one pull request: a list in pages, a new one, a changed one; it
 * wants a token, and runs the filter that finds a comment by its beginning.
 */
export function makeGh(folder: string, { repository, number }: { repository: string; number: number }) {
  const kept = join(folder, 'comments.json')
  const script = `#!${process.execPath}
const fs = require('node:fs')
const [verb, ...words] = process.argv.slice(2)
const fail = (why) => { console.error('gh: ' + why); process.exit(1) }
if (verb !== 'api') fail('unknown command ' + verb)
if (!process.env.GH_TOKEN) fail('To use GitHub CLI in a GitHub Actions workflow, set the GH_TOKEN environment variable.')
const value = (name) => words.includes(name) ? words[words.indexOf(name) + 1] : undefined
const path = words.find((word) => word.startsWith('repos/'))
const comments = fs.existsSync(${JSON.stringify(kept)}) ? JSON.parse(fs.readFileSync(${JSON.stringify(kept)}, 'utf8')) : []
const body = () => {
  const file = /^body=@(.*)$/s.exec(value('-F') ?? '')?.[1] ?? fail('no body')
  const text = fs.readFileSync(file, 'utf8')
  return text.length <= ${mostLetters} ? text : fail('Validation Failed (HTTP 422): body is too long (maximum is ${mostLetters} characters)')
}
const save = () => fs.writeFileSync(${JSON.stringify(kept)}, JSON.stringify(comments))
const method = value('--method') ?? 'GET'
const one = new RegExp('^repos/${repository}/issues/comments/([0-9]+)$').exec(path ?? '')
if (method === 'GET' && path === 'repos/${repository}/issues/${number}/comments') {
  const start = /^\\.\\[\\] \\| select\\(\\.body \\| startswith\\("(.*)"\\)\\) \\| \\.id$/.exec(value('--jq') ?? '') ?? fail('a filter that is not known')
  // Without --paginate the first thirty alone.
  for (const { id, body } of words.includes('--paginate') ? comments : comments.slice(0, 30)) if (body.startsWith(start[1])) console.log(id)
} else if (method === 'POST' && path === 'repos/${repository}/issues/${number}/comments') {
  comments.push({ id: 1000 + comments.length, body: body() })
  save()
} else if (method === 'PATCH' && one) {
  const known = comments.findIndex(({ id }) => id === Number(one[1]))
  if (known < 0) fail('Not Found (HTTP 404)')
  comments[known] = { ...comments[known], body: body() }
  save()
} else fail('Not Found (HTTP 404): ' + method + ' ' + path)
`
  writeFileSync(join(folder, 'gh'), script)
  chmodSync(join(folder, 'gh'), 0o755)
  return {
    folder,
    comments: (): Comment[] => (existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : []),
    write: (comments: readonly Comment[]): void => writeFileSync(kept, JSON.stringify(comments)),
  }
}

/** An annotation of the check: what the runner makes of a line of the log. */
interface Annotation {
  readonly level: string
  readonly file: string | undefined
  readonly line: number
  readonly title: string
  readonly message: string
}

const unescaped = (text: string): string =>
  text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%')

/** The annotations that the runner takes from a log: those that name a place, ten of each level in a step at most. */
export function annotationsIn(log: string): Annotation[] {
  const counts: Record<string, number> = {}
  return [...log.matchAll(/^::(error|warning|notice) ([^\n]*?)::([^\n]*)$/gm)].flatMap(
    ([, level = '', given = '', message = '']) => {
      counts[level] = (counts[level] ?? 0) + 1
      if ((counts[level] ?? 0) > 10) return []
      const {
        file,
        line = '1',
        title = '',
      } = Object.fromEntries(given.split(',').map((pair) => pair.split('='))) as Record<string, string>
      return [
        {
          level,
          file: file && unescaped(file),
          line: Number(line),
          title: unescaped(title),
          message: unescaped(message),
        },
      ]
    },
  )
}

interface Sarif {
  readonly version: string
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly { readonly id: string }[] } }
    readonly results: readonly {
      readonly ruleId: string
      readonly partialFingerprints?: Readonly<Record<string, string>>
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string }
          readonly region: { readonly startLine: number }
        }
      }[]
    }[]
  }[]
}

/** The alerts that code scanning makes of an upload, by the limits that it documents; throws what it would refuse. */
export function uploadSarif(workspace: string, file: string) {
  const text = readFileSync(join(workspace, file))
  if (gzipSync(text).length > 10_000_000) throw new Error('The file is over 10 MB, compressed.')
  const { version, runs } = JSON.parse(text.toString()) as Sarif
  if (version !== '2.1.0' || runs.length > 20) throw new Error('Not a log of SARIF 2.1.0 with at most 20 runs.')
  return runs.flatMap(({ tool, results }) => {
    if (results.length > 25_000 || tool.driver.rules.length > 25_000) throw new Error('Too many results or rules.')
    return results.map(({ ruleId, locations, partialFingerprints }) => {
      const { artifactLocation, region } = locations[0]?.physicalLocation ?? {}
      const path = decodeURI(artifactLocation?.uri ?? '')
      if (!existsSync(join(workspace, path))) throw new Error(`${path} is not in the checkout.`)
      if (!tool.driver.rules.some(({ id }) => id === ruleId)) throw new Error(`${ruleId} is no rule of the log.`)
      return { rule: ruleId, path, line: region?.startLine, fingerprint: Object.values(partialFingerprints ?? {})[0] }
    })
  })
}
