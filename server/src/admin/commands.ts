import { parseArgs } from 'node:util'
import { newId } from '../core/ids.ts'
import { accountReference } from '../core/log.ts'
import { isPlanName, type KeyType, keyLifetimeMonths, planNames } from '../core/plans.ts'
import type { Limits } from '../services/admission.ts'
import { generateKey } from '../services/keys.ts'
import { getLimits } from '../services/limits.ts'
import { resealSecrets } from '../services/reseal-secrets.ts'
import { removeAllSecondFactors } from '../services/second-factors.ts'
import { ourselves } from '../services/security-log.ts'
import { createAccountLimitsStore, type LimitOverrides } from '../stores/account-limits.ts'
import { type AccountRow, createAccountStore } from '../stores/accounts.ts'
import { transaction } from '../stores/database.ts'
import { createSweepStateStore } from '../stores/sweep-states.ts'
import type { Admin } from './admin.ts'

export type CommandDeps = Omit<Admin, 'close'>

export interface Command {
  readonly name: string
  readonly synopsis: string
  readonly meaning: string
  /** What to print, line by line; `input` is what came on standard input. */
  run(admin: CommandDeps, args: readonly string[], input?: string): Promise<string[]>
}

export const findCommand = (name: string | undefined): Command | undefined =>
  commands.find((command) => command.name === name)

export const usage = (): string =>
  `Usage: assay-server admin <command>\n\n${commands
    .map(({ name, synopsis, meaning }) => `  ${name} ${synopsis}\n      ${meaning}\n`)
    .join('')}\nAn account is named by its email address or its userId, an organization by its id.\n`

const createAccount: Command = {
  name: 'create-account',
  synopsis: '<email> [--name <name>] [--plan free|basic|pro] [--password-stdin]',
  meaning: 'Makes a verified account. Without a password on standard input, one is set by "forgot password".',
  async run(admin, args, input = '') {
    const { values, positionals } = parse(args, {
      name: { type: 'string' },
      plan: { type: 'string' },
      'password-stdin': { type: 'boolean' },
    })
    const email = only(positionals, 'an email address').trim().toLowerCase()
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error(`${email} is not an email address.`)
    const plan = readPlan(values.plan ?? 'free')
    const password = values['password-stdin'] ? readPassword(input) : randomPassword(admin)
    const passwordHash = await admin.passwords.hash(password, 'operator')
    const at = admin.clock.now().getTime()
    const id = newId('user', admin.randomness)
    await transaction(admin.db, async (tx) => {
      const accounts = createAccountStore(tx)
      const account = { id, email, name: values.name ?? email, password_hash: passwordHash, verified_at: at }
      if (!(await accounts.add(account))) throw new Error(`${email} is already an account.`)
      await accounts.setPlan(id, plan, at)
    })
    return [`userId ${id}`, `plan   ${plan}`]
  },
}

const createKey: Command = {
  name: 'create-key',
  synopsis: '<account> [--type PRODUCTION|TEST] [--name <name>]',
  meaning: 'Makes an API key and prints its value.',
  async run(admin, args) {
    const { values, positionals } = parse(args, { name: { type: 'string' }, type: { type: 'string' } })
    const account = await findAccount(admin, only(positionals, 'an account'))
    const type = values.type ?? 'PRODUCTION'
    if (!(type in keyLifetimeMonths)) throw new Error('--type must be PRODUCTION or TEST.')
    const wish = { type: type as KeyType, name: values.name ?? 'made by the operator' }
    const key = await generateKey(admin, account.id, wish, ourselves)
    return [key.keyValue]
  },
}

const numbers = {
  'requests-per-hour': 'requests_per_hour',
  'scans-per-day': 'scans_per_day',
  'max-file-bytes': 'max_file_bytes',
  'max-contract-bytes': 'max_contract_bytes',
  'history-days': 'history_days',
} as const satisfies Record<string, keyof LimitOverrides>

const limits: Command = {
  name: 'limits',
  synopsis: `<account> [${Object.keys(numbers)
    .map((name) => `--${name} <n>`)
    .join('] [')}] [--clear]`,
  meaning:
    "Overrides any number of the account's plan, by contract; --clear goes back to the plan. Prints what applies.",
  async run(admin, args) {
    const option = { type: 'string' } as const
    const { values, positionals } = parse(args, {
      'requests-per-hour': option,
      'scans-per-day': option,
      'max-file-bytes': option,
      'max-contract-bytes': option,
      'history-days': option,
      clear: { type: 'boolean' },
    })
    const account = await findAccount(admin, only(positionals, 'an account'))
    const store = createAccountLimitsStore(admin.db)
    if (values.clear) await store.clear(account.id)
    const overrides: LimitOverrides = {}
    for (const [name, column] of Object.entries(numbers)) {
      const given = values[name as keyof typeof numbers]
      if (given !== undefined) overrides[column] = readNumber(name, given)
    }
    if (Object.keys(overrides).length > 0) await store.override(account.id, overrides)
    const reference = `log reference         ${accountReference(account.id)}`
    return [...describeLimits(await getLimits(admin, account.id)), reference]
  },
}

const setPlan: Command = {
  name: 'set-plan',
  synopsis: '<account> free|basic|pro',
  meaning: 'Gives a plan without a payment; the billing provider is not told.',
  async run(admin, args) {
    const { positionals } = parse(args, {})
    const [name, plan] = positionals
    const account = await findAccount(admin, name ?? '')
    await createAccountStore(admin.db).setPlan(account.id, readPlan(plan ?? ''), admin.clock.now().getTime())
    return describeLimits(await getLimits(admin, account.id))
  },
}

const reseal: Command = {
  name: 'reseal',
  synopsis: '',
  meaning:
    'After a change of MASTER_SECRET: seals every API key, webhook secret and authenticator secret again, so that MASTER_SECRET_PREVIOUS can go.',
  async run(admin) {
    const { keys, webhooks, factors } = await resealSecrets(admin)
    return [`${keys} API keys, ${webhooks} webhook secrets and ${factors} authenticator secrets sealed again`]
  },
}

const removeFactors: Command = {
  name: 'remove-second-factors',
  synopsis: '<account>',
  meaning:
    'For an owner who lost every second factor and recovery code, and proved by other means who they are: the password alone opens the account again. They get an email.',
  async run(admin, args) {
    const { positionals } = parse(args, {})
    const account = await findAccount(admin, only(positionals, 'an account'))
    const removed = await removeAllSecondFactors(admin, account.id, ourselves)
    return [`${removed} second factors removed`]
  },
}

const releaseSweep: Command = {
  name: 'release-sweep',
  synopsis: 'scans|accounts|deliveries',
  meaning:
    'Lets a deletion go ahead that waits because the clock jumped or far more than ever before would go; `assay-server doctor` names those that wait.',
  async run(admin, args) {
    const name = only(parse(args, {}).positionals, 'a sweep')
    if (!(await createSweepStateStore(admin.db).release(name))) throw new Error(`No sweep called ${name} waits.`)
    return [`${name}: the next sweep goes ahead, within ten minutes or an hour`]
  },
}

export const commands: readonly Command[] = [
  createAccount,
  createKey,
  limits,
  setPlan,
  removeFactors,
  reseal,
  releaseSweep,
]

type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options']

const parse = <O extends NonNullable<Options>>(args: readonly string[], options: O) =>
  parseArgs({ args: [...args], options, allowPositionals: true, strict: true })

function only(positionals: readonly string[], what: string): string {
  const [first, second] = positionals
  if (first === undefined) throw new Error(`Name ${what}.`)
  if (second !== undefined) throw new Error(`One at a time: "${second}" is too much.`)
  return first
}

async function findAccount(admin: CommandDeps, name: string): Promise<AccountRow> {
  const accounts = createAccountStore(admin.db)
  const account = name.includes('@') ? await accounts.findByEmail(name.toLowerCase()) : await accounts.find(name)
  if (!account) throw new Error(`There is no account ${name}.`)
  return account
}

/** Nobody knows the random one: the account waits for a reset. */
const randomPassword = ({ randomness }: CommandDeps): string => randomness.bytes(24).toString('base64url')

function readPassword(input: string): string {
  const password = input.replace(/\r?\n$/, '')
  if (password.length < 8 || password.length > 128) throw new Error('A password has 8 to 128 characters.')
  return password
}

function readPlan(text: string) {
  if (!isPlanName(text)) throw new Error(`A plan is one of ${planNames.join(', ')}.`)
  return text
}

function readNumber(name: string, text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(value)) throw new Error(`--${name} must be a whole number.`)
  return value
}

const describeLimits = (found: Limits): string[] => [
  `plan               ${found.plan}`,
  `requests per hour  ${found.requestsPerHour}`,
  `scans per day      ${found.scansPerDay}`,
  `max file bytes     ${found.maxFileBytes}`,
  `max contract bytes ${found.maxContractBytes}`,
  `history days       ${found.historyDays}`,
]
