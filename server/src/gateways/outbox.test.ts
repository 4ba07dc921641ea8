import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createOutbox } from './outbox.ts'

let folder: string
beforeEach(() => {
  folder = join(temporaryFolder(), 'outbox')
})

const mail = {
  from: 'Assay <no-reply@assay.localhost>',
  to: 'ada@example.com',
  subject: '123456 is your code – now',
  text: 'Your code:\n\n123456\n',
  html: '<p>Your code: 123456</p>',
  messageId: '<mail_1@localhost>',
  date: new Date('2026-03-10T12:00:00Z'),
}

test('a mail becomes a file that any tool reads, and a line on the console', async () => {
  const lines: string[] = []
  const outbox = createOutbox(folder, (line) => lines.push(line))
  expect(await outbox.send(mail)).toEqual({ kind: 'sent' })
  expect(lines).toEqual(['mail to ada@example.com: 123456 is your code – now'])
  const [file = ''] = readdirSync(folder)
  expect(file).toMatch(/^2026-03-10T12-00-00\.000Z-.*\.eml$/)
  const message = readFileSync(join(folder, file), 'utf8')
  expect(message).toContain('To: ada@example.com\n')
  expect(message.indexOf('text/plain')).toBeLessThan(message.indexOf('text/html'))
  expect(message).toMatch(/^123456$/m)
})

test('a second try of the same mail is the same file', async () => {
  const outbox = createOutbox(folder, () => undefined)
  await outbox.send(mail)
  await outbox.send(mail)
  expect(readdirSync(folder)).toHaveLength(1)
})

test('the newest are listed first, as they were written', async () => {
  const outbox = createOutbox(folder, () => undefined)
  expect(await outbox.list(10)).toEqual([])
  await outbox.send(mail)
  await outbox.send({
    ...mail,
    messageId: '<mail_2@localhost>',
    to: 'bob@example.com',
    date: new Date('2026-03-11T12:00:00Z'),
  })
  const listed = await outbox.list(10)
  expect(listed.map(({ to }) => to)).toEqual(['bob@example.com', 'ada@example.com'])
  expect(listed[1]).toMatchObject({ subject: mail.subject, text: mail.text })
  expect(await outbox.list(1)).toHaveLength(1)
})
