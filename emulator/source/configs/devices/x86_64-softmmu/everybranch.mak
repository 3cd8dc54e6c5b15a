# The devices of the emulator: what firmware, a boot from any usual disk or a USB stick, and a
# log need.  Without the others the build takes three minutes instead of ten.
# configure finds this by --with-devices-x86_64=everybranch, see emulator/build.

CONFIG_AHCI_ICH9=y
CONFIG_E1000E_PCI_EXPRESS=y
CONFIG_E1000_PCI=y
CONFIG_HPET=y
CONFIG_I440FX=y
CONFIG_IDE_PCI=y
CONFIG_ISA_DEBUG=y
CONFIG_NVME_PCI=y
CONFIG_PARALLEL=y
CONFIG_PCIE_PORT=y
CONFIG_Q35=y
CONFIG_SCSI=y
CONFIG_SERIAL_ISA=y
CONFIG_SERIAL_PCI=y
CONFIG_USB_STORAGE_BOT=y
CONFIG_USB_STORAGE_CLASSIC=y
CONFIG_USB_XHCI_PCI=y
CONFIG_VGA_PCI=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_RNG=y
CONFIG_VIRTIO_SERIAL=y
