import { afterEach, expect, test, vi } from 'vitest'
import { actForAccountOfLink, actingFor, organizationHeaders, rememberActingFor } from './acting-for.ts'

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
})
afterEach(() => stored.clear())

test('requests about the account in force name the organization, those about the person do not', () => {
  expect(organizationHeaders('GET /api/v1/scans')).toEqual({})
  rememberActingFor('org_1')
  for (const operation of ['GET /api/v1/scans', 'POST /api/v1/scan', 'GET /api/v1/findings', 'POST /api/upgrade-plan'])
    expect(organizationHeaders(operation), operation).toEqual({ 'x-organisation': 'org_1' })
  for (const operation of [
    'GET /api/me',
    'POST /api/login',
    'POST /api/logout',
    'GET /api/v1/sessions',
    'POST /api/v1/account/password',
    'PATCH /api/v1/organisations/{organisationId}',
    'POST /api/v1/invitations/accept',
    'GET /api/v1/detectors',
  ])
    expect(organizationHeaders(operation), operation).toEqual({})
  rememberActingFor(null)
  expect(actingFor()).toBeNull()
})

test('a link that names an account acts for it, and the address goes on without it', () => {
  const link = 'https://assay.example/findings?account=org_1&fresh=true'
  expect(actForAccountOfLink(link)).toBe('https://assay.example/findings?fresh=true')
  expect(actingFor()).toBe('org_1')
  const plain = 'https://assay.example/findings?fresh=true'
  expect(actForAccountOfLink(plain)).toBe(plain)
  expect(actingFor()).toBe('org_1')
  expect(actForAccountOfLink('https://assay.example/projects?account=personal')).toBe('https://assay.example/projects')
  expect(actingFor()).toBeNull()
})
