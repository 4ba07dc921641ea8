import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusalOf } from '../core/errors.ts'
import { findRepeatedName } from '../core/repeated-name.ts'
import type {} from './mount-routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The content type of an upload, as it came. */
    uploadType: string
  }
}

const bodyKindOf = (request: FastifyRequest) => request.routeOptions.config.route?.bodyKind ?? 'json'

/** A body means nothing to these methods (RFC 9110, 9.3): it is neither read nor judged. */
const ignoresBody = ({ method, routeOptions }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD' || method === 'DELETE') && routeOptions.config.route?.body === undefined

/**
 * Each route says how its body arrives, and only that is read. An upload route gets whatever came, unread: it decides
 * itself what a missing file means.
 */
export async function parseBodies(app: FastifyInstance): Promise<void> {
  app.decorateRequest('uploadType', '')
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (bodyKindOf(request) === 'raw') return done(null, body)
    if (body.length === 0) return done(null, undefined)
    const text = body.toString('utf8')
    parseJson(request, text, (error, value) => {
      const repeated = error ? undefined : findRepeatedName(text)
      if (repeated === undefined) done(error, value)
      else done(refusalOf('repeatedName', repeated.slice(0, 100)))
    })
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    if (bodyKindOf(request) !== 'json-or-form') return done(refusalOf('notJson'))
    done(null, Object.fromEntries(new URLSearchParams(body as string)))
  })
  app.addContentTypeParser('*', (request, _payload, done) => {
    done(bodyKindOf(request) === 'upload' || ignoresBody(request) ? null : refusalOf('notJson'))
  })
  app.addHook('preParsing', async (request) => {
    if (ignoresBody(request)) {
      if (request.headers['content-type'] !== undefined) request.headers['content-type'] = 'application/octet-stream'
      return
    }
    const isUpload = bodyKindOf(request) === 'upload'
    if (isMultipart(request) && !isUpload) throw refusalOf('notJson')
    request.uploadType = request.headers['content-type'] ?? ''
    // Whatever is not multipart is left unread: the route decides what it is.
    if (isUpload && !isMultipart(request)) request.headers['content-type'] = 'application/octet-stream'
  })
}

const isMultipart = (request: FastifyRequest): boolean =>
  /^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '')
