"""How labgrid brings everybranch onto a machine: it writes the stick, then switches the power."""
import attr
from labgrid.factory import target_factory
from labgrid.strategy import Strategy

# The opening line; the last one, or that of a kernel which gave up.
OPENS = r"everybranch log=\d+ "
ENDS = r"\n(end runs=|panic )[^\r\n]*[\r\n]"


@target_factory.reg_driver
@attr.s(eq=False)
class EverybranchStrategy(Strategy):
    """A bench has power and a console.  One with a switch between its stick and the two
    machines that use it, or with a stick that it can always write, gets the image first."""

    bindings = {
        "power": "PowerProtocol",
        "console": "ConsoleProtocol",
        "storage": {"USBStorageDriver", None},
        "switch": {"USBSDMuxDriver", "USBSDWireDriver", None},
    }

    boot_seconds = attr.ib(default=90, validator=attr.validators.instance_of(int))
    run_seconds = attr.ib(default=600, validator=attr.validators.instance_of(int))

    def write_stick(self):
        if self.switch:
            self.target.activate(self.switch)
            self.switch.set_mode("host")
        self.target.activate(self.storage)
        self.storage.write_image()
        self.target.deactivate(self.storage)
        if self.switch:
            self.switch.set_mode("dut")

    def run(self):
        """All that the serial line says, from the power's coming to the log's end."""
        if self.storage:
            self.write_stick()
        self.target.activate(self.power)
        self.target.activate(self.console)      # listens from the first byte
        self.power.cycle()
        try:
            _, before, _, opening = self.console.expect(OPENS, timeout=self.boot_seconds)
            _, runs, _, ending = self.console.expect(ENDS, timeout=self.run_seconds)
        finally:
            self.power.off()
        return before + opening + runs + ending
