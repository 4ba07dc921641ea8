// Generated from server/src/routes by `npm run generate`. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all lint: generated

export type Error = {
  /** One sentence. */
  error: string
}

export type Problem = {
  type: string
  title: string
  status: number
  instance?: string
}

export type NewApiKey = {
  id: string
  /** The secret itself: keep it out of source code. */
  keyValue: string
  type: "PRODUCTION" | "TEST"
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type ApiKey = {
  id: string
  name: string
  /** Empty when it cannot be opened, because the master secret was changed: make a new key. */
  keyValue: string
  type: "PRODUCTION" | "TEST"
  /** ISO 8601, UTC. */
  expiresAt: string
  status: "ACTIVE" | "EXPIRED" | "REVOKED"
  /** ISO 8601, UTC. */
  createdAt: string
  lastUsedAt: string | null
}

export type ScanEvent = {
  type: "scan.completed" | "scan.failed" | "webhook.test"
  timestamp: string
  scanId: string
  status: "completed" | "failed"
  securityScore: {
    score: number
    rating: string
  }
  vulnerabilitiesCount: number
}

/** Every endpoint: what it takes and what it answers. */
export interface Operations {
  'POST /api/register': {
    params: never
    query: never
    body: {
      /** E-mail address; upper and lower case are the same. */
      email: string
      /** 8 to 128 characters; the most common breached passwords are refused. */
      password: string
      /** How to address you. */
      name: string
    }
    response: {
      /** One sentence for a person. */
      message: string
      /** The account, as returned by POST /api/register. */
      userId: string
      verificationSent: boolean
    }
  }
  'POST /api/verify-email': {
    params: never
    query: never
    body: {
      /** E-mail address; upper and lower case are the same. */
      email: string
      /** The six digits from the mail. */
      otp: string
    }
    response: {
      /** One sentence for a person. */
      message: string
      /** The account, as returned by POST /api/register. */
      userId: string
      verified: true
    }
  }
  'POST /api/resend-otp': {
    params: never
    query: never
    body: {
      /** E-mail address; upper and lower case are the same. */
      email: string
    }
    response: {
      /** One sentence for a person. */
      message: string
    }
  }
  'POST /api/login': {
    params: never
    query: never
    body: {
      /** E-mail address; upper and lower case are the same. */
      email: string
      password: string
    }
    response: {
      /** One sentence for a person. */
      message: string
      /** The account, as returned by POST /api/register. */
      userId: string
      token: string
      tokenType: "Bearer"
      /** ISO 8601, UTC. */
      expiresAt: string
    }
  }
  'POST /api/logout': {
    params: never
    query: never
    body: never
    response: {
      /** One sentence for a person. */
      message: string
    }
  }
  'GET /api/me': {
    params: never
    query: never
    body: never
    response: {
      /** The account, as returned by POST /api/register. */
      userId: string
      email: string
      name: string
      verified: boolean
      plan: "free" | "basic" | "pro"
      /** ISO 8601, UTC. */
      createdAt: string
    }
  }
  'POST /api/forgot-password': {
    params: never
    query: never
    body: {
      /** E-mail address; upper and lower case are the same. */
      email: string
    }
    response: {
      /** One sentence for a person. */
      message: string
    }
  }
  'POST /api/reset-password': {
    params: never
    query: never
    body: {
      /** 64 hexadecimal characters from the mail. */
      token: string
      /** 8 to 128 characters; the most common breached passwords are refused. */
      newPassword: string
      /** Also revoke every API key of the account, because somebody else may have made it. */
      revokeApiKeys?: boolean
    }
    response: {
      /** One sentence for a person. */
      message: string
      apiKeys: {
        revoked: {
          id: string
          name: string
        }[]
        active: {
          id: string
          name: string
        }[]
      }
    }
  }
  'GET /api/v1/sessions': {
    params: never
    query: never
    body: never
    response: {
      success: true
      data: {
        sessions: {
          id: string
          /** ISO 8601, UTC. */
          createdAt: string
          /** ISO 8601, UTC. */
          lastUsedAt: string
          /** ISO 8601, UTC. */
          expiresAt: string
          address: string | null
          userAgent: string | null
          /** Whether this is the session that asks. */
          current: boolean
        }[]
      }
    }
  }
  'DELETE /api/v1/sessions/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: {
      success: true
      /** One sentence for a person. */
      message: string
    }
  }
  'GET /api/v1/security-log': {
    params: never
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: {
      success: true
      data: {
        events: {
          id: string
          /** ISO 8601, UTC. */
          at: string
          event: string
          description: string
          address: string | null
          userAgent: string | null
          detail: Record<string, string>
        }[]
        nextCursor: string | null
      }
    }
  }
  'GET /api/v1/mail-preferences': {
    params: never
    query: never
    body: never
    response: {
      success: true
      data: {
        /** A scan found critical or high weaknesses. */
        scanFindings: boolean
        /** 80 % and 100 % of the daily quota. */
        quotaUsage: boolean
        /** An API key is about to expire. */
        keyExpiring: boolean
        /** The plan changed. */
        planChanged: boolean
        /** A payment failed. */
        paymentFailed: boolean
        /** A webhook was disabled. */
        webhookDisabled: boolean
      }
    }
  }
  'PATCH /api/v1/mail-preferences': {
    params: never
    query: never
    body: {
      /** A scan found critical or high weaknesses. */
      scanFindings?: boolean
      /** 80 % and 100 % of the daily quota. */
      quotaUsage?: boolean
      /** An API key is about to expire. */
      keyExpiring?: boolean
      /** The plan changed. */
      planChanged?: boolean
      /** A payment failed. */
      paymentFailed?: boolean
      /** A webhook was disabled. */
      webhookDisabled?: boolean
    }
    response: {
      success: true
      data: {
        /** A scan found critical or high weaknesses. */
        scanFindings: boolean
        /** 80 % and 100 % of the daily quota. */
        quotaUsage: boolean
        /** An API key is about to expire. */
        keyExpiring: boolean
        /** The plan changed. */
        planChanged: boolean
        /** A payment failed. */
        paymentFailed: boolean
        /** A webhook was disabled. */
        webhookDisabled: boolean
      }
    }
  }
  'POST /api/generate-api-key': {
    params: never
    query: never
    body: {
      /** The account, as returned by POST /api/register. */
      userId: string
      type: "PRODUCTION" | "TEST"
      /** A label, such as the environment it is for. */
      name: string
      /** Up to three years for PRODUCTION, six months for TEST. */
      expiresInDays?: number
    }
    response: {
      /** One sentence for a person. */
      message: string
      apiKey: NewApiKey
    }
  }
  'GET /api/v1/user-api-keys': {
    params: never
    query: {
      userId: string
    }
    body: never
    response: {
      success: true
      /** One sentence for a person. */
      message: string
      data: {
        apiKeys: ApiKey[]
        total: number
      }
    }
  }
  'DELETE /api/v1/user-api-keys/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: {
      success: true
      /** One sentence for a person. */
      message: string
    }
  }
  'POST /api/v1/user-api-keys/{id}/rotate': {
    params: {
      id: string
    }
    query: never
    body: {
      /** How long the old key still works; 0 ends it now. */
      overlapSeconds?: number
    }
    response: {
      success: true
      /** One sentence for a person. */
      message: string
      apiKey: NewApiKey
      previous: {
        id: string
        /** ISO 8601, UTC. */
        expiresAt: string
      }
    }
  }
  'POST /api/v1/scan': {
    params: never
    query: {
      format?: "json" | "sarif" | "markdown" | "html"
      baseline?: string
      suppressions?: "honour" | "ignore"
    }
    body: FormData
    response: {
      success: true
      message: string
      scanId: string
      /** Opaque name of the stored upload. */
      file: string
      vulnerabilitiesCount: number
      dataVulnerabilities: {
        name: string
        title: string
        severity: "critical" | "high" | "medium" | "low" | "info"
        confidence: "high" | "medium" | "low"
        /** Id of the detector, as in the catalogue. */
        detector: string
        contract: string | null
        function: string | null
        /** 1-based. */
        line: number
        column: number
        endLine: number
        /** Exclusive. */
        endColumn: number
        snippet: string
        message: string
        recommendation: string
        references: string[]
        cwe: string[]
        /** Survives edits elsewhere in the file. */
        fingerprint: string
        trace: {
          /** 1-based. */
          line: number
          column: number
          endLine: number
          /** Exclusive. */
          endColumn: number
          message: string
        }[]
        /** Only with `baseline`. */
        baselineState?: "new" | "unchanged"
        /** `SWC-<number>`. */
        vulnerabilityId: string
      }[]
      /** Weaknesses beyond the registry; they neither count nor deduct. */
      advisories: {
        name: string
        title: string
        severity: "critical" | "high" | "medium" | "low" | "info"
        confidence: "high" | "medium" | "low"
        /** Id of the detector, as in the catalogue. */
        detector: string
        contract: string | null
        function: string | null
        /** 1-based. */
        line: number
        column: number
        endLine: number
        /** Exclusive. */
        endColumn: number
        snippet: string
        message: string
        recommendation: string
        references: string[]
        cwe: string[]
        /** Survives edits elsewhere in the file. */
        fingerprint: string
        trace: {
          /** 1-based. */
          line: number
          column: number
          endLine: number
          /** Exclusive. */
          endColumn: number
          message: string
        }[]
        /** Only with `baseline`. */
        baselineState?: "new" | "unchanged"
      }[]
      suppressed: {
        name: string
        title: string
        severity: "critical" | "high" | "medium" | "low" | "info"
        confidence: "high" | "medium" | "low"
        /** Id of the detector, as in the catalogue. */
        detector: string
        contract: string | null
        function: string | null
        /** 1-based. */
        line: number
        column: number
        endLine: number
        /** Exclusive. */
        endColumn: number
        snippet: string
        message: string
        recommendation: string
        references: string[]
        cwe: string[]
        /** Survives edits elsewhere in the file. */
        fingerprint: string
        trace: {
          /** 1-based. */
          line: number
          column: number
          endLine: number
          /** Exclusive. */
          endColumn: number
          message: string
        }[]
        /** Only with `baseline`. */
        baselineState?: "new" | "unchanged"
        vulnerabilityId?: string
        suppression: {
          comment: string
          reason: string | null
          line: number
        }
      }[]
      parseErrors: {
        /** 1-based. */
        line: number
        column: number
        endLine: number
        /** Exclusive. */
        endColumn: number
        message: string
      }[]
      diagnostics: {
        code: string
        message: string
        line: number | null
      }[]
      completeness: "full" | "partial"
      securityScore: {
        score: number
        rating: "Excellent" | "Good" | "Fair" | "Poor" | "Critical"
        summary: {
          total: number
          critical: number
          high: number
          medium: number
          low: number
        }
      }
      bestPractices: {
        recommendations: string[]
        checklist?: {
          category: string
          items: string[]
        }[]
      }
      /** Only with `baseline`: what changed since. */
      baseline?: {
        baselineScanId: string
        newCount: number
        unchangedCount: number
        fixedCount: number
        fixed: {
          name: string
          title: string
          severity: "critical" | "high" | "medium" | "low" | "info"
          confidence: "high" | "medium" | "low"
          /** Id of the detector, as in the catalogue. */
          detector: string
          contract: string | null
          function: string | null
          /** 1-based. */
          line: number
          column: number
          endLine: number
          /** Exclusive. */
          endColumn: number
          snippet: string
          message: string
          recommendation: string
          references: string[]
          cwe: string[]
          /** Survives edits elsewhere in the file. */
          fingerprint: string
          trace: {
            /** 1-based. */
            line: number
            column: number
            endLine: number
            /** Exclusive. */
            endColumn: number
            message: string
          }[]
          /** Only with `baseline`. */
          baselineState?: "new" | "unchanged"
          /** `SWC-<number>`. */
          vulnerabilityId: string
        }[]
      }
    }
  }
  'POST /api/v1/ai-scan': {
    params: never
    query: never
    body: FormData
    response: {
      success: true
      message: string
      scanId: string
      timeTaken: string
      results: {
        summary: string
        vulnerabilities: {
          vulnerabilityId: string | null
          title: string
          severity: "critical" | "high" | "medium" | "low" | "info"
          confidence: "high" | "medium" | "low"
          line: number
          endLine: number
          description: string
          recommendation: string
          /** Who found it. */
          agreement: "both" | "ai" | "static"
          /** What the model says of a finding of the static analysis. */
          aiVerdict: "confirmed" | "doubted" | "unsure" | null
          aiReason: string | null
        }[]
        recommendations: string[]
      }
      /** Fetch it at `/api/v1/reports/{outputFile}`. */
      outputFile: string
      /** Of the static analysis. */
      securityScore: {
        score: number
        rating: "Excellent" | "Good" | "Fair" | "Poor" | "Critical"
        summary: {
          total: number
          critical: number
          high: number
          medium: number
          low: number
        }
      }
    }
  }
  'POST /scan': {
    params: never
    query: never
    body: FormData
    response: {
      success: string
      message: string
      file: string
      vulnerabilitiesCount: number
      dataVulnerabilities: {
        vulnerabilityId: number
      }[]
    }
  }
  'GET /api/v1/scans': {
    params: never
    query: {
      limit?: number
      cursor?: string
      kind?: "standard" | "ai"
      status?: "completed" | "failed"
      rating?: "Excellent" | "Good" | "Fair" | "Poor" | "Critical"
      fileName?: string
      from?: string
      to?: string
    }
    body: never
    response: {
      success: true
      data: {
        scans: {
          scanId: string
          kind: "standard" | "ai"
          status: "completed" | "failed"
          fileName: string
          sizeBytes: number
          vulnerabilitiesCount: number
          securityScore: {
            score: number
            rating: "Excellent" | "Good" | "Fair" | "Poor" | "Critical"
            summary: {
              total: number
              critical: number
              high: number
              medium: number
              low: number
            }
          }
          completeness: "full" | "partial"
          createdAt: string
          /** From then on it is gone, if the plan stays. */
          expiresAt: string
        }[]
        nextCursor: string | null
      }
    }
  }
  'GET /api/v1/scans/{scanId}': {
    params: {
      scanId: string
    }
    query: never
    body: never
    response: {
      success: true
      data: {
        success: true
        message: string
        scanId: string
        /** Opaque name of the stored upload. */
        file: string
        vulnerabilitiesCount: number
        dataVulnerabilities: {
          name: string
          title: string
          severity: "critical" | "high" | "medium" | "low" | "info"
          confidence: "high" | "medium" | "low"
          /** Id of the detector, as in the catalogue. */
          detector: string
          contract: string | null
          function: string | null
          /** 1-based. */
          line: number
          column: number
          endLine: number
          /** Exclusive. */
          endColumn: number
          snippet: string
          message: string
          recommendation: string
          references: string[]
          cwe: string[]
          /** Survives edits elsewhere in the file. */
          fingerprint: string
          trace: {
            /** 1-based. */
            line: number
            column: number
            endLine: number
            /** Exclusive. */
            endColumn: number
            message: string
          }[]
          /** Only with `baseline`. */
          baselineState?: "new" | "unchanged"
          /** `SWC-<number>`. */
          vulnerabilityId: string
        }[]
        /** Weaknesses beyond the registry; they neither count nor deduct. */
        advisories: {
          name: string
          title: string
          severity: "critical" | "high" | "medium" | "low" | "info"
          confidence: "high" | "medium" | "low"
          /** Id of the detector, as in the catalogue. */
          detector: string
          contract: string | null
          function: string | null
          /** 1-based. */
          line: number
          column: number
          endLine: number
          /** Exclusive. */
          endColumn: number
          snippet: string
          message: string
          recommendation: string
          references: string[]
          cwe: string[]
          /** Survives edits elsewhere in the file. */
          fingerprint: string
          trace: {
            /** 1-based. */
            line: number
            column: number
            endLine: number
            /** Exclusive. */
            endColumn: number
            message: string
          }[]
          /** Only with `baseline`. */
          baselineState?: "new" | "unchanged"
        }[]
        suppressed: {
          name: string
          title: string
          severity: "critical" | "high" | "medium" | "low" | "info"
          confidence: "high" | "medium" | "low"
          /** Id of the detector, as in the catalogue. */
          detector: string
          contract: string | null
          function: string | null
          /** 1-based. */
          line: number
          column: number
          endLine: number
          /** Exclusive. */
          endColumn: number
          snippet: string
          message: string
          recommendation: string
          references: string[]
          cwe: string[]
          /** Survives edits elsewhere in the file. */
          fingerprint: string
          trace: {
            /** 1-based. */
            line: number
            column: number
            endLine: number
            /** Exclusive. */
            endColumn: number
            message: string
          }[]
          /** Only with `baseline`. */
          baselineState?: "new" | "unchanged"
          vulnerabilityId?: string
          suppression: {
            comment: string
            reason: string | null
            line: number
          }
        }[]
        parseErrors: {
          /** 1-based. */
          line: number
          column: number
          endLine: number
          /** Exclusive. */
          endColumn: number
          message: string
        }[]
        diagnostics: {
          code: string
          message: string
          line: number | null
        }[]
        completeness: "full" | "partial"
        securityScore: {
          score: number
          rating: "Excellent" | "Good" | "Fair" | "Poor" | "Critical"
          summary: {
            total: number
            critical: number
            high: number
            medium: number
            low: number
          }
        }
        bestPractices: {
          recommendations: string[]
          checklist?: {
            category: string
            items: string[]
          }[]
        }
        /** Only with `baseline`: what changed since. */
        baseline?: {
          baselineScanId: string
          newCount: number
          unchangedCount: number
          fixedCount: number
          fixed: {
            name: string
            title: string
            severity: "critical" | "high" | "medium" | "low" | "info"
            confidence: "high" | "medium" | "low"
            /** Id of the detector, as in the catalogue. */
            detector: string
            contract: string | null
            function: string | null
            /** 1-based. */
            line: number
            column: number
            endLine: number
            /** Exclusive. */
            endColumn: number
            snippet: string
            message: string
            recommendation: string
            references: string[]
            cwe: string[]
            /** Survives edits elsewhere in the file. */
            fingerprint: string
            trace: {
              /** 1-based. */
              line: number
              column: number
              endLine: number
              /** Exclusive. */
              endColumn: number
              message: string
            }[]
            /** Only with `baseline`. */
            baselineState?: "new" | "unchanged"
            /** `SWC-<number>`. */
            vulnerabilityId: string
          }[]
        }
        kind: "standard" | "ai"
        status: "completed" | "failed"
        fileName: string
        sizeBytes: number
        createdAt: string
        /** From then on it is gone, if the plan stays. */
        expiresAt: string
      }
    }
  }
  'DELETE /api/v1/scans/{scanId}': {
    params: {
      scanId: string
    }
    query: never
    body: never
    response: {
      success: true
      message: string
    }
  }
  'GET /api/v1/scans/{scanId}/source': {
    params: {
      scanId: string
    }
    query: never
    body: never
    response: string
  }
  'GET /api/v1/scans/{scanId}/report': {
    params: {
      scanId: string
    }
    query: {
      format?: "json" | "sarif" | "markdown" | "html"
    }
    body: never
    response: string
  }
  'GET /api/v1/reports/{outputFile}': {
    params: {
      outputFile: string
    }
    query: never
    body: never
    response: string
  }
  'GET /api/v1/user-plan': {
    params: never
    query: {
      userId: string
    }
    body: never
    response: {
      success: true
      data: {
        plan: "free" | "basic" | "pro"
        /** The next renewal; on free, when the quota month ends. */
        renewsAt: string
        billingSubscriptionId: string | null
        billingStatus: "none" | "active" | "past_due"
        cancelsAt: string | null
        /** While a payment is overdue: when the plan falls to free. */
        graceEndsAt: string | null
        quotas: {
          scansPerDay: number
          /** Bytes. */
          maxFileSize: number
          /** Bytes. */
          maxContractSize: number
          /** With PRODUCTION keys; TEST keys may call twice as often. */
          requestsPerHour: number
          historyDays: number
        }
        usage: {
          scansToday: number
          scansRemaining: number
          resetsAt: string
          requestsThisHour: number
          scansThisMonth: number
        }
      }
    }
  }
  'POST /api/upgrade-plan': {
    params: never
    query: never
    body: {
      newPlan: string
    }
    response: {
      success: boolean
      message: string
      status: "payment_required" | "active"
      /** The plan that was asked for. */
      plan: "basic" | "pro"
      checkoutUrl?: string
    }
  }
  'GET /api/v1/upgrade-preview': {
    params: never
    query: {
      newPlan: string
    }
    body: never
    response: {
      success: boolean
      data: {
        currentPlan: string
        newPlan: string
        currency: string
        monthlyPriceCents: number
        /** Charged if the upgrade is made now. */
        amountDueCents: number
        /** Credit for the unused time of the current plan, charge for the rest of the period. */
        proration: {
          creditCents: number
          chargeCents: number
        } | null
        renewsAt: string
      }
    }
  }
  'POST /api/v1/cancel-plan': {
    params: never
    query: never
    body: {
      userId: string
    }
    response: {
      success: boolean
      message: string
      plan: string
      cancelsAt: string
    }
  }
  'POST /api/v1/resume-plan': {
    params: never
    query: never
    body: {
      userId: string
    }
    response: {
      success: boolean
      message: string
      plan: string
      renewsAt: string
    }
  }
  'GET /api/v1/invoices': {
    params: never
    query: {
      userId?: string
    }
    body: never
    response: {
      success: boolean
      data: {
        invoices: {
          id: string
          number: string | null
          status: "draft" | "open" | "paid" | "void" | "uncollectible"
          amountCents: number
          currency: string
          createdAt: string
          paidAt: string | null
          lines: {
            description: string
            amountCents: number
          }[]
          url: string | null
        }[]
        total: number
      }
    }
  }
  'POST /api/billing/webhook': {
    params: never
    query: never
    body: never
    response: {
      received: true
    }
  }
  'POST /api/v1/webhooks': {
    params: never
    query: never
    body: {
      url: string
      events?: ("scan.completed" | "scan.failed")[]
      description?: string
    }
    response: {
      success: boolean
      data: {
        id: string
        url: string
        events: string[]
        description: string | null
        status: "active" | "disabled"
        disabledReason: string | null
        createdAt: string
        secret: string
      }
    }
  }
  'GET /api/v1/webhooks': {
    params: never
    query: never
    body: never
    response: {
      success: boolean
      data: {
        webhooks: {
          id: string
          url: string
          events: string[]
          description: string | null
          status: "active" | "disabled"
          disabledReason: string | null
          createdAt: string
        }[]
        total: number
      }
    }
  }
  'GET /api/v1/webhooks/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: {
      success: boolean
      data: {
        id: string
        url: string
        events: string[]
        description: string | null
        status: "active" | "disabled"
        disabledReason: string | null
        createdAt: string
      }
    }
  }
  'PATCH /api/v1/webhooks/{id}': {
    params: {
      id: string
    }
    query: never
    body: {
      url?: string
      events?: ("scan.completed" | "scan.failed")[]
      description?: string
      status?: "active" | "disabled"
    }
    response: {
      success: boolean
      data: {
        id: string
        url: string
        events: string[]
        description: string | null
        status: "active" | "disabled"
        disabledReason: string | null
        createdAt: string
      }
    }
  }
  'DELETE /api/v1/webhooks/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: {
      success: boolean
      message: string
    }
  }
  'POST /api/v1/webhooks/{id}/rotate-secret': {
    params: {
      id: string
    }
    query: never
    body: {
      overlapSeconds?: number
    }
    response: {
      success: boolean
      data: {
        id: string
        url: string
        events: string[]
        description: string | null
        status: "active" | "disabled"
        disabledReason: string | null
        createdAt: string
        secret: string
        previousSecretUntil: string
      }
    }
  }
  'POST /api/v1/webhooks/{id}/test': {
    params: {
      id: string
    }
    query: never
    body: never
    response: {
      success: boolean
      data: {
        id: string
        webhookId: string
        /** The `webhook-id` header, the same on every try. */
        messageId: string
        type: string
        status: "pending" | "delivered" | "failed" | "cancelled"
        attempts: number
        lastStatusCode: number | null
        lastError: string | null
        lastDurationMs: number | null
        lastAttemptAt: string | null
        createdAt: string
      }
    }
  }
  'GET /api/v1/webhooks/{id}/deliveries': {
    params: {
      id: string
    }
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: {
      success: boolean
      data: {
        deliveries: {
          id: string
          webhookId: string
          /** The `webhook-id` header, the same on every try. */
          messageId: string
          type: string
          status: "pending" | "delivered" | "failed" | "cancelled"
          attempts: number
          lastStatusCode: number | null
          lastError: string | null
          lastDurationMs: number | null
          lastAttemptAt: string | null
          createdAt: string
        }[]
        nextCursor: string | null
      }
    }
  }
  'POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver': {
    params: {
      id: string
      deliveryId: string
    }
    query: never
    body: never
    response: {
      success: boolean
      data: {
        id: string
        webhookId: string
        /** The `webhook-id` header, the same on every try. */
        messageId: string
        type: string
        status: "pending" | "delivered" | "failed" | "cancelled"
        attempts: number
        lastStatusCode: number | null
        lastError: string | null
        lastDurationMs: number | null
        lastAttemptAt: string | null
        createdAt: string
      }
    }
  }
  'POST /api/v1/webhooks/deliveries/{deliveryId}/redeliver': {
    params: {
      deliveryId: string
    }
    query: never
    body: never
    response: {
      success: boolean
      data: {
        id: string
        webhookId: string
        /** The `webhook-id` header, the same on every try. */
        messageId: string
        type: string
        status: "pending" | "delivered" | "failed" | "cancelled"
        attempts: number
        lastStatusCode: number | null
        lastError: string | null
        lastDurationMs: number | null
        lastAttemptAt: string | null
        createdAt: string
      }
    }
  }
  'GET /api/v1/detectors': {
    params: never
    query: never
    body: never
    response: {
      success: true
      data: {
        detectors: {
          id: string
          /** Null: beyond the registry, reported as an advisory. */
          swc: string | null
          name: string
          title: string
          severity: "critical" | "high" | "medium" | "low" | "info"
          confidence: "high" | "medium" | "low"
          description: string
          recommendation: string
          references: string[]
          cwe: string[]
          examples: {
            vulnerable: string
            safe: string
          } | null
          knownLimits: string[]
        }[]
        total: number
      }
    }
  }
  'GET /health': {
    params: never
    query: never
    body: never
    response: {
      status: "ok"
    }
  }
  'GET /ready': {
    params: never
    query: never
    body: never
    response: {
      status: "ready"
    }
  }
  'GET /metrics': {
    params: never
    query: never
    body: never
    response: string
  }
}
