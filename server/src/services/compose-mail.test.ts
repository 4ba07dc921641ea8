import { expect, test } from 'vitest'
import { quoteUntrusted } from '../messages/mail-draft.ts'
import { mailTemplates } from '../messages/mails.ts'
import { composeMail } from './compose-mail.ts'

test('text and HTML say the same, and what others wrote cannot become markup', () => {
  const mail = composeMail({
    subject: 'Hello\r\nBcc: everyone@example.com',
    blocks: ['<b>&', { code: '123456' }, { link: 'https://a.example/?a=1&b=2', label: 'Go' }, { list: ['one', 'two'] }],
  })
  expect(mail.subject).toBe('Hello Bcc: everyone@example.com')
  expect(mail.text).toBe('<b>&\n\n123456\n\nGo:\nhttps://a.example/?a=1&b=2\n\n- one\n- two\n\n-- \nAssay\n')
  expect(mail.html).toContain('<p>&lt;b&gt;&amp;</p>')
  expect(mail.html).toContain('href="https://a.example/?a=1&amp;b=2"')
})

test('a name that an outsider chose makes no link in a mail', () => {
  expect(quoteUntrusted('Ada Lovelace')).toBe('“Ada Lovelace”')
  expect(quoteUntrusted('win at http://evil.example/now!')).toBe('“win at http evil. example now”')
  expect(quoteUntrusted('x'.repeat(100))).toHaveLength(62)
  expect(quoteUntrusted('a\nb')).toBe('“a b”')
})

test('the code stands in the subject and alone on a line', () => {
  const facts = { code: '012345', accountName: 'Ada', requestedAt: new Date('2026-03-10T12:00:00Z'), minutes: 10 }
  const { subject, text } = composeMail(mailTemplates.code(facts))
  expect(subject).toBe('012345 is your Assay verification code')
  expect(text.split('\n')).toContain('012345')
  expect(text.match(/\d{6}/g)).toEqual(['012345'])
})

test('a mail about the plan of an organization names it', () => {
  const facts = { publicUrl: 'https://a.example', from: 'free', to: 'pro', at: new Date('2026-03-10T12:00:00Z') }
  const own = composeMail(mailTemplates.planChanged(facts))
  expect([own.subject, own.text.split('\n')[0]]).toEqual([
    'Your Assay plan is now pro',
    'Your plan changed from free to pro at 2026-03-10 12:00 UTC.',
  ])
  const theirs = composeMail(mailTemplates.planChanged({ ...facts, organisation: 'Acme' }))
  expect(theirs.subject).toBe('The Assay plan of “Acme” is now pro')
  expect(theirs.text).toContain('The plan of the organization “Acme” changed from free to pro')
})
