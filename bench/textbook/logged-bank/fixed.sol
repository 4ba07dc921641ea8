// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract AuditLog {
    event Entry(address who, string what, uint256 amount);

    function write(address who, string calldata what, uint256 amount) external {
        emit Entry(who, what, amount);
    }
}

contract LoggedBank {
    uint256 public constant MINIMUM = 2.5 ether;
    AuditLog private immutable auditLog;
    mapping(address => uint256) public balances;

    constructor(address logger) {
        auditLog = AuditLog(logger);
    }

    function deposit() external payable {
        require(msg.value >= MINIMUM, "below minimum");
        balances[msg.sender] += msg.value;
        auditLog.write(msg.sender, "deposit", msg.value);
    }

    function withdraw(uint256 amount) external {
        require(balances[msg.sender] >= amount, "balance");
        balances[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment");
        auditLog.write(msg.sender, "withdraw", amount);
    }
}
