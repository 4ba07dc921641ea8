import { expect, test } from 'vitest'
import { refusedField } from './refused-field.ts'

const read = (message: string) => refusedField(new Error(message))

test('a refusal of a field is read as the field and its rule', () => {
  expect(read('email must be a valid e-mail address.')).toEqual({
    field: 'email',
    rule: 'must be a valid email address.',
  })
  expect(read('newPassword is one of the most common breached passwords. Choose another one.')).toEqual({
    field: 'newPassword',
    rule: 'is one of the most common breached passwords. Choose another one.',
  })
})

test('what names no field is left to the form', () => {
  for (const message of ['User already exists', 'The request is not valid.', 'You are offline.', 'invalid code'])
    expect(read(message), message).toBeNull()
  expect(refusedField(null)).toBeNull()
})
