// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Requests whose responses are late are sent once more; see ``Hedging``.
///
/// Hedging is in the attempt's innermost part, around the transmission: the request has passed its interceptors and has
/// its proof, so neither runs twice, and everything after a response sees only the winning one.
extension Exchange {
    /// One of the requests, and its result.
    private struct Lane: Sendable {
        let number: Int
        let admission: Admission?
        let latency: Duration
        let result: Result<TransportResponse, any Error>

        /// Drops the unread response.
        func drop() {
            if case .success(let answer) = result { answer.body.cancel() }
            admission?.slot?.leave()
        }
    }

    private enum Event: Sendable {
        case ended(Lane)
        /// The response is late.
        case due
        /// The wait was cancelled.
        case awake
    }

    /// Whether another request may be sent.
    private enum HedgeAdmission {
        case admitted(Admission?)
        case refused(HedgeRecord.Obstacle)
    }

    /// The result of the race.
    private struct Finish: Sendable {
        var lane: Lane
        var record: HedgeRecord?
    }

    /// The innermost part of an attempt that may be hedged.
    func hedged(_ sent: SentRequest, _ context: Attempting, by plan: HedgePlan) async throws -> TransportResponse {
        let admission = pace == nil && limit.gate == nil ? nil : try await admit(sent.plain, context)
        context.call.observation?.sending(sent.proven)
        let finish: Finish
        if let delay = plan.delay(for: sent.plain) {
            finish = await race(sent, context, admission, after: delay, by: plan)
        } else {
            finish = Finish(lane: await lane(0, sent, context, admission))
            if case .success(let answer) = finish.lane.result, plan.counts(answer.head) {
                plan.note(finish.lane.latency, of: sent.plain)
            }
        }
        if let record = finish.record {
            context.hedges?.note(record)
            if record.sent > 0 { context.call.observation?.tell(.hedged(record)) }
        }
        do {
            return try answered(try finish.lane.result.get(), sent, context, finish.lane.admission)
        } catch {
            finish.lane.admission?.slot?.leave()
            throw error
        }
    }

    private func race(
        _ sent: SentRequest,
        _ context: Attempting,
        _ admission: Admission?,
        after delay: Duration,
        by plan: HedgePlan
    ) async -> Finish {
        let began = clock.moment
        return await withTaskGroup(of: Event.self) { group in
            var race = HedgeRace(extra: plan.extra)
            var ended: [Int: Lane] = [:]
            var obstacle: HedgeRecord.Obstacle?
            var step = HedgeRace.Step.wait
            group.addTask { .ended(await self.lane(0, sent, context, admission)) }
            group.addTask { await self.late(after: delay) }
            while case .wait = step, let event = await group.next() {
                switch event {
                case .awake: continue
                case .due:
                    guard race.mayHedge, !Task.isCancelled else { continue }
                    switch admitHedge(sent.plain, by: plan) {
                    case .refused(let reason):
                        obstacle = reason
                        race.giveUp()
                        context.call.observation?.tell(.late(delay, reason))
                    case .admitted(let admission):
                        let number = race.hedge()
                        context.call.observation?.tell(.late(delay, nil))
                        group.addTask { .ended(await self.lane(number, sent, context, admission)) }
                        if race.mayHedge { group.addTask { await self.late(after: delay) } }
                    }
                case .ended(let lane):
                    ended[lane.number] = lane
                    step = race.end(lane.number, outcome(lane, by: plan))
                }
            }
            // The others end now, by their transport's cancellation; nobody uses their results.
            group.cancelAll()
            let winner: Int? = if case .deliver(let number) = step { number } else { nil }
            note(ended, winner, since: began, of: sent.plain, by: plan)
            for await case .ended(let lane) in group { lane.drop() }
            let taken = winner ?? 0
            for (number, lane) in ended where number != taken { lane.drop() }
            let record =
                race.sent == 0 && obstacle == nil
                ? nil : HedgeRecord(delay: delay, sent: race.sent, winner: winner, obstacle: obstacle)
            // If no response is used, all requests have ended, including the first.
            let lane =
                ended[taken] ?? Lane(number: 0, admission: nil, latency: .zero, result: .failure(CancellationError()))
            return Finish(lane: lane, record: record)
        }
    }

    /// One request up to the head of its response.
    private func lane(
        _ number: Int,
        _ sent: SentRequest,
        _ context: Attempting,
        _ admission: Admission?
    ) async -> Lane {
        let began = clock.moment
        var result: Result<TransportResponse, any Error>
        do {
            let answer = try await transmission.send(
                sent.unfinished,
                with: sent.fields,
                shownAs: sent.shown,
                context.call,
                isDownload: context.isDownload,
                offersIdentity: context.isAtHome
            )
            if let admission { answered(admission, answer.head) }
            result = .success(answer)
        } catch {
            if let admission { failed(admission, error) }
            result = .failure(error)
        }
        return Lane(number: number, admission: admission, latency: clock.moment - began, result: result)
    }

    private func late(after delay: Duration) async -> Event {
        do {
            try await clock.sleep(for: delay)
            return .due
        } catch {
            return .awake
        }
    }

    private func outcome(_ lane: Lane, by plan: HedgePlan) -> HedgeRace.Outcome {
        guard case .success(let answer) = lane.result else { return .failed }
        return .answered(counts: plan.counts(answer.head))
    }

    /// Records the winner's latency; for a cancelled first request, the time it had taken so far.
    private func note(
        _ ended: [Int: Lane],
        _ winner: Int?,
        since began: Moment,
        of request: EncodedRequest,
        by plan: HedgePlan
    ) {
        guard let winner, let lane = ended[winner], case .success(let answer) = lane.result, plan.counts(answer.head)
        else { return }
        plan.note(lane.latency, of: request)
        if winner != 0, ended[0] == nil { plan.note(clock.moment - began, of: request) }
    }

    /// Takes a slot, a turn and a retry for another request, if all are available now: one that waits would only be
    /// later still, and a limit of one request at a time would wait for itself.
    private func admitHedge(_ request: EncodedRequest, by plan: HedgePlan) -> HedgeAdmission {
        var slot: Limit.Slot?
        if let gate = limit.gate {
            guard gate.enterIfFree() else { return .refused(.slots) }
            slot = limit.slot(of: gate)
        }
        var pass: PacePass?
        if let pace {
            pass = pace.enterIfFree(request.origin, on: clock)
            guard pass != nil else {
                slot?.leave()
                return .refused(.pace)
            }
        }
        let now = clock.moment
        guard plan.spend(at: request.origin, now: now) else {
            pass?.giveBack()
            slot?.leave()
            return .refused(.budget(request.origin))
        }
        return .admitted(pass == nil && slot == nil ? nil : Admission(pass: pass, slot: slot, began: now))
    }
}
