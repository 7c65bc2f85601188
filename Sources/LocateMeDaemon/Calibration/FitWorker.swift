internal import EventLoop
internal import Glibc
internal import MagnetometerCalibration

/// Runs batch fits off the loop: they take milliseconds, a heading must not wait for them. One at a time; a job that comes while
/// one runs is refused, the next one will hold more samples anyway.
final class FitWorker {
    typealias Outcome = Result<CalibrationFit, CalibrationRejection>

    /// What the thread works on. It is touched by the thread between create and join, by the loop before and after:
    /// pthread_create and pthread_join order the accesses.
    private final class Work {
        let job: CalibrationFitJob
        let wakeup: Wakeup
        var outcome: Outcome?

        init(job: CalibrationFitJob, wakeup: Wakeup) {
            self.job = job
            self.wakeup = wakeup
        }
    }

    private let wakeup: Wakeup
    private var watch: Watch?
    private var work: Work?
    private var thread = pthread_t()
    private var completion: ((Outcome) -> Void)?

    /// A worker without a thread. Throws if the process is out of descriptors.
    init(loop: EventLoop) throws(Errno) {
        wakeup = try Wakeup()
        watch = try loop.watch(wakeup.descriptor, for: .readable) { [weak self] _ in self?.finish() }
    }

    deinit {
        watch?.cancel()
        if work != nil { pthread_join(thread, nil) }
    }

    /// True while a fit runs.
    var isBusy: Bool { work != nil }

    /// Runs a job; `completion` is called on the loop. False if another one runs or no thread can be had.
    func run(_ job: CalibrationFitJob, _ completion: @escaping (Outcome) -> Void) -> Bool {
        guard work == nil else { return false }
        let work = Work(job: job, wakeup: wakeup)
        let context = Unmanaged.passRetained(work)
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
                work.outcome = Result { () throws(CalibrationRejection) in try work.job.run() }
                work.wakeup.signal()
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            return false
        }
        self.work = work
        self.completion = completion
        return true
    }

    private func finish() {
        wakeup.drain()
        guard let work else { return }
        pthread_join(thread, nil)
        self.work = nil
        let completion = completion
        self.completion = nil
        if let outcome = work.outcome { completion?(outcome) }
    }
}
