import type { Download } from './download.ts'
import { type NoSource, toNoSource } from './source-host.ts'

/** Where repositories lie, and the API that hands out their archives. */
export interface Forge {
  /** As it stands in addresses of repositories. */
  readonly host: string
  /** `https://api.github.com`, or `https://<host>/api/v3` of a GitHub of one's own. */
  readonly apiUrl: string
  readonly token?: string | undefined
}

export interface RepositoryPlace {
  readonly owner: string
  readonly name: string
  /** Absent: the default branch. */
  readonly ref: string | undefined
}

export type RepositoryArchive = { readonly kind: 'archive'; readonly bytes: Buffer }

export interface ForgeGateway {
  readonly host: string
  download(
    place: RepositoryPlace,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<RepositoryArchive | NoSource>
}

/** The archive download of GitHub's API: a redirect to another host, and a gzipped tar there. */
export function createForge(forge: Forge, download: Download, now: () => Date): ForgeGateway {
  return {
    host: forge.host,
    async download({ owner, name, ref }, { maxBytes, signal }) {
      const outcome = await download({
        url: `${forge.apiUrl}/repos/${owner}/${name}/tarball${ref === undefined ? '' : `/${encodeRef(ref)}`}`,
        headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
        authorization: forge.token && `Bearer ${forge.token}`,
        maxBytes,
        signal,
      })
      return outcome.kind === 'answered' && outcome.status === 200
        ? { kind: 'archive', bytes: outcome.bytes }
        : toNoSource(outcome, now())
    },
  }
}

const encodeRef = (ref: string): string => ref.split('/').map(encodeURIComponent).join('/')
